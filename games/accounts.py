"""Guests, people and computers: who gets which row, and how a guest becomes a person.

A guest plays at once, as a row of the same table as everybody. Signing up turns that very
row into a person, so that nothing has to be moved. Logging in to an account that is there
already moves the guest's seats to it instead.
"""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games import hooks, limits, tallies
from games.ids import public_id
from games.models import ChatLine, Match, Mute, Player, PuzzleAnswer, Seat
from games.names import NameRefused, check_name, skeleton

GUEST_BACKEND = "django.contrib.auth.backends.ModelBackend"


def checked_name(text: str) -> str:
    """Return `text` as it is kept, or raise ValidationError with the check's code.

    Says nothing of whether somebody has it: see `name_is_free`.
    """
    try:
        return check_name(text)
    except NameRefused as refusal:
        raise ValidationError(_REASONS[refusal.code](), code=refusal.code) from refusal


# The pure checks know no language; the sentences that a person reads are here.
_REASONS = {
    "length": lambda: _("A name has 2 to 20 characters."),
    "characters": lambda: _("A name is made of letters, digits, spaces and - _ ' . only."),
    "start": lambda: _("A name begins with a letter or a digit."),
    "script": lambda: _("A name is written in one alphabet."),
    "reserved": lambda: _("This name is kept for the site itself."),
}


def name_is_free(name: str, *, but_for: Player | None = None) -> bool:
    """Say whether no person and no computer has `name` or one that looks like it.

    Only a hint: the constraint player_name_unique decides when two ask at once.
    """
    look = skeleton(name)
    taken = Player.objects.filter(name_skeleton=look).exclude(kind=Player.Kind.GUEST)
    if but_for is not None and but_for.pk is not None:
        taken = taken.exclude(pk=but_for.pk)
    return not taken.exists()


def ensure_guest(request: HttpRequest, name: str | None = None) -> Player:
    """Return who is at this browser, making a guest and logging him in where nobody is.

    A `name` given by a guest who is one already renames him; a person keeps his own.
    Raise ValidationError for a name that nobody may have, TooOften where one network address
    became too many guests.
    """
    user = request.user
    if isinstance(user, Player):
        if name and user.is_guest:
            rename(player=user, name=name)
        return user
    limits.take(limits.named("guests"), limits.address(request))
    guest = create_guest(name=name)
    login(request, guest, backend=GUEST_BACKEND)
    return guest


def create_guest(*, name: str | None = None) -> Player:
    """Make a guest who cannot log in; without a name he gets one with four random characters."""
    ident = public_id()
    shown = checked_name(name) if name else _("Visitor %(id)s") % {"id": ident[:4].upper()}
    guest = Player(username=f"guest-{ident}", public_id=ident, kind=Player.Kind.GUEST, name=shown)
    guest.set_unusable_password()
    guest.save(force_insert=True)
    return guest


def rename(*, player: Player, name: str) -> None:
    """Give a guest or a person another name; a person logs in with the new one from then on.

    Raise ValidationError for a name that cannot be had, and for a player who is muted.
    """
    if player.is_muted:
        raise ValidationError(_("A moderator has taken this from you for a while."), code="muted")
    give_name(player=player, name=name)


def give_name(*, player: Player, name: str) -> None:
    """Call a player by another name, whether or not he asked for it.

    Raise ValidationError for a name that cannot be had.
    """
    checked = checked_name(name)
    if checked == player.name:
        return
    if player.is_guest:
        player.name = checked
        player.save(update_fields=["name"])
        return
    if not name_is_free(checked, but_for=player):
        raise name_taken()
    before = player.username, player.name, player.name_skeleton
    player.username, player.name, player.name_skeleton = checked, checked, skeleton(checked)
    try:
        with transaction.atomic():
            player.save(update_fields=["username", "name", "name_skeleton"])
    except IntegrityError:
        player.username, player.name, player.name_skeleton = before
        raise name_taken() from None


def name_taken() -> ValidationError:
    """Return the refusal of a name that another has."""
    return ValidationError(
        _("This name is taken, or looks like one that is."), code="username_taken"
    )


def computer_player(*, bot: str, version: str, name: str) -> Player:
    """Return the row of one computer player at one version, making it at first use.

    Its name counts as taken from then on. Safe when two processes ask at once.
    """
    player, _made = Player.objects.get_or_create(
        kind=Player.Kind.COMPUTER,
        bot=bot,
        bot_version=version,
        defaults={
            "username": f"computer-{public_id()}",
            "password": "!",  # unusable
            "name": name,
            "name_skeleton": skeleton(name),
        },
    )
    return player


def merge_guest(*, guest: Player, account: Player) -> int:
    """Give a guest's seats and matches to the account that he turned out to have.

    Where both sat at one match (a person against himself) the guest keeps his seat, since
    nobody sits twice. A guest left without a seat is removed; one who keeps any can never
    be used again. Return the number of seats that moved.
    """
    if not guest.is_guest or guest.pk == account.pk:
        return 0
    with transaction.atomic():
        hooks.merging(guest.pk, account.pk)
        shared = Seat.objects.filter(player=account, computer=False).values("match_id")
        own = Seat.objects.filter(player=guest).exclude(match_id__in=shared)
        matches = list(own.values_list("match_id", flat=True))
        moved = own.update(player=account)
        tallies.move(matches=matches, guest=guest, account=account)
        Match.objects.filter(created_by=guest).update(created_by=account)
        ChatLine.objects.filter(author=guest, match__in=matches).update(author=account)
        _move_mutes(guest, account)
        answered = PuzzleAnswer.objects.filter(player=account).values_list("puzzle_id", flat=True)
        answers = PuzzleAnswer.objects.filter(player=guest)
        answers.exclude(puzzle_id__in=list(answered)).update(player=account)
        if Seat.objects.filter(player=guest).exists():
            guest.is_active = False
            guest.save(update_fields=["is_active"])
        else:
            guest.delete()
    return moved


def _move_mutes(guest: Player, account: Player) -> None:
    """Have an account not read whom its guest did not, and not be read by whom he was not."""
    known = Mute.objects.filter(muter=account).values_list("muted_id", flat=True)
    made = Mute.objects.filter(muter=guest).exclude(muted__in=[*known, account.pk])
    made.update(muter=account)
    knowing = Mute.objects.filter(muted=account).values_list("muter_id", flat=True)
    received = Mute.objects.filter(muted=guest).exclude(muter__in=[*knowing, account.pk])
    received.update(muted=account)


class AccountAdapter(DefaultAccountAdapter):
    """How allauth makes people: checked names, and a guest's own row where there is one."""

    def new_user(self, request: HttpRequest) -> Player:
        """Return the guest who signs up, read afresh, or a new person."""
        user = request.user
        if isinstance(user, Player) and user.is_guest:
            return Player.objects.get(pk=user.pk)
        return Player()

    def save_user(
        self, request: HttpRequest, user: Player, form: BaseForm, commit: bool = True
    ) -> Player:
        """Make `user` a person who is called what he logs in with, and store him."""
        super().save_user(request, user, form, commit=False)
        user.kind = Player.Kind.PERSON
        user.name = user.username
        user.name_skeleton = skeleton(user.name)
        if commit:
            user.save()
        return user

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it is kept; raise ValidationError where it cannot be had."""
        name = checked_name(username)
        if not shallow and not name_is_free(name):
            raise name_taken()
        return name

    def login(self, request: HttpRequest, user: Any) -> None:
        """Log `user` in, and give him what he played as a guest in this browser."""
        before = request.user
        super().login(request, user)
        if isinstance(before, Player) and before.is_guest and before.pk != user.pk:
            merge_guest(guest=before, account=user)

    def post_login(self, request: HttpRequest, user: Any, **how: Any) -> HttpResponse:
        """Answer who has logged in; a browser that no language was chosen in takes his."""
        response: HttpResponse = super().post_login(request, user, **how)
        if user.language and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            keep_language(response, user.language)
        return response


def keep_language(response: HttpResponse, language: str) -> None:
    """Have a browser ask for the pages in ``language`` from now on."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
