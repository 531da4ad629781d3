"""Accounts: creating guests, people and computers, and turning a guest into a person.

Guests can play at once, and have a row in the same table as other players. Sign-up turns that row
into a person, so nothing has to be moved. Logging in to an existing account moves the guest's seats
to that account.
"""

from datetime import timedelta
from functools import partial
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth import login
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games import hooks
from games.cluster import announce
from games.log import player_stats, reply_times
from games.models import ChatLine, Match, Player, PuzzleAnswer, Seat
from games.models.ids import public_id
from games.models.names import NameRefused, check_name, skeleton
from games.ops import true_time
from games.people import (
    account_errors,
    account_mails,
    courses,
    limits,
    mail_queue,
    merging,
    moderated,
)
from games.people.browser_sessions import PUSHED_TO
from games.people.changed_accounts import refresh_tables
from games.people.guests import (
    announce_name,
    check_guest_name,
    free_for_account,
    free_of_guests,
    generated_name,
    guest_of_first_click,
)
from games.people.player_lock import LoggedOut, lock_rows, locked_player
from games.people.security_mails import SecurityMails

CLOSED = "games.people.accounts.closed"
CLOSED_FOR = timedelta(hours=1)
"""Time for which a banned player may read and appeal after giving their password."""

GUEST_BACKEND = "django.contrib.auth.backends.ModelBackend"


def checked_name(text: str) -> str:
    """Return `text` in its stored form, or raise ValidationError with the check's code.

    It does not check whether the name is taken: see `name_is_free`.
    """
    try:
        return check_name(text)
    except NameRefused as refusal:
        raise ValidationError(_REASONS[refusal.code](), code=refusal.code) from refusal


# The checks in `games.models.names` return codes; these are the sentences for people.
_REASONS = {
    "length": lambda: _("Use 2 to 20 characters."),
    "characters": lambda: _("Use only letters, digits, spaces and these: - _ ' ."),
    "start": lambda: _("Start the name with a letter or a digit."),
    "script": lambda: _("Use one alphabet for the whole name."),
    "reserved": lambda: _("That name is reserved. Try another."),
}


def name_is_free(name: str, *, but_for: Player | None = None) -> bool:
    """Return whether no person or computer has `name` or one that looks like it.

    A player whose name moderators removed still logs in with it, in any case of its letters.

    This is only a hint: the constraint player_name_unique decides between concurrent requests.
    """
    look = skeleton(name)
    taken = Player.objects.filter(Q(name_skeleton=look) | Q(username__iexact=name))
    taken = taken.exclude(kind=Player.Kind.GUEST)
    if but_for is not None and but_for.pk is not None:
        taken = taken.exclude(pk=but_for.pk)
    return not taken.exists()


def ensure_guest(request: HttpRequest, name: str | None = None) -> Player:
    """Return the player of a request, creating and logging in a guest if there is none.

    A `name` renames an existing guest; a person keeps their name.

    Raises:
        ValidationError: for a name that is not allowed, or that an account has.
        TooOften: if the network address has created too many guests.
    """
    user = request.user
    if isinstance(user, Player):
        if name and user.is_guest:
            rename(player=user, name=name)
        return user
    limits.consume(limits.named("guests"), limits.address(request))
    guest = guest_of_first_click(request, create_guest(name=name), name)
    login(request, guest, backend=GUEST_BACKEND)
    return guest


def create_guest(*, name: str | None = None) -> Player:
    """Create a guest, who cannot log in; the default name has random characters.

    Raises:
        ValidationError: for a name that is not available.
    """
    ident = public_id()
    shown = _name_of_guest(name) if name else generated_name(ident)
    guest = Player(
        username=f"guest-{ident}",
        public_id=ident,
        kind=Player.Kind.GUEST,
        name=shown,
        name_skeleton=skeleton(shown),
    )
    guest.set_unusable_password()
    guest.save(force_insert=True)
    if name:
        free_for_account(shown)
    return guest


def _name_of_guest(text: str) -> str:
    name = checked_name(text)
    check_guest_name(name)
    return name


def rename(*, player: Player, name: str) -> None:
    """Rename a guest or a person at their own request; people then log in with the new name.

    Raises:
        ValidationError: for a name that is not available, and for a muted player.
        LoggedOut: if the account was deleted meanwhile.
    """
    if player.is_muted:
        raise ValidationError(_("You're muted, so you can't change your name yet."), code="muted")
    with locked_player(player):
        give_name(player=player, name=name)


def give_name(*, player: Player, name: str, login: bool = True) -> None:
    """Rename a player, also for moderators.

    Args:
        player: the player.
        name: the new name.
        login: whether the player logs in with it; if not, still with the name that they chose.

    Raises:
        ValidationError: for a name that is not available.
    """
    checked = checked_name(name)
    if checked == player.name:
        return
    if player.is_guest:
        check_guest_name(checked)
        player.name, player.name_skeleton = checked, skeleton(checked)
        player.save(update_fields=["name", "name_skeleton"])
        announce_name(player)
        free_for_account(checked)
        return
    if not name_is_free(checked, but_for=player):
        raise name_taken()
    before = player.username, player.name, player.name_skeleton
    player.name, player.name_skeleton = checked, skeleton(checked)
    if login:
        player.username = checked
    try:
        with transaction.atomic():
            player.save(update_fields=["username", "name", "name_skeleton"])
    except IntegrityError:
        player.username, player.name, player.name_skeleton = before
        raise name_taken() from None
    hooks.renamed(player.pk)
    announce_name(player)
    free_of_guests(checked)


def name_taken() -> ValidationError:
    """Return the error for a name that another player has."""
    return ValidationError(_("That name is taken. Try another."), code="username_taken")


def computer_player(*, bot: str, version: str, name: str) -> Player:
    """Return the row of a version of a computer player, creating it on first use.

    Its name counts as taken from then on. Several processes may call this at the same time.
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
    """Move a guest's seats and matches to an account; return the number of seats moved.

    If both have a seat in one match, the guest's is not moved, since a person can have only one:
    a computer plays on there, and both results stay, since somebody else may have played as the
    guest on a shared device. At a table that is still waiting, the seat becomes free.
    A guest without remaining seats, or entries in tournaments, is deleted; otherwise the guest is
    deactivated. Nothing moves for a guest who has signed up or logged in elsewhere meanwhile.
    """
    if not guest.is_guest or guest.pk == account.pk:
        return 0
    with transaction.atomic():
        # What the guest's other requests store is moved, or not stored any more.
        rows = lock_rows(guest, account)
        row, account = rows.get(guest.pk), rows.get(account.pk, account)
        # Of two logins or a sign-up at once, the first one has the games. The rows that the request
        # has read are older than that, and than what a moderator has just done.
        if row is None or not (row.is_guest and row.is_active and account.is_active):
            return 0
        hooks.merging(guest.pk, account.pk)
        # Before the tables: a guest's connection has no seat at one that has read its seats again.
        transaction.on_commit(partial(announce.player_merged, guest.pk))
        shared = Seat.objects.filter(player=account, computer=False).values("match_id")
        own = Seat.objects.filter(player=guest).exclude(match_id__in=shared)
        merging.lock_matches(list(own.values_list("match_id", flat=True)), guest, account)
        merging.leave_waiting(guest, account)
        matches = list(own.values_list("match_id", flat=True))  # not those just left
        moved = own.update(player=account)
        player_stats.move(matches=matches, guest=guest, account=account)
        reply_times.move(guest=guest, account=account)
        Match.objects.filter(created_by=guest).update(created_by=account)
        ChatLine.objects.filter(author=guest, match__in=matches).update(author=account)
        merging.move_mutes(guest, account)
        merging.move_blocks(guest, account)
        merging.move_notices(guest, account, matches)
        moderated.move(guest=guest, account=account)
        answered = PuzzleAnswer.objects.filter(player=account).values_list("puzzle_id", flat=True)
        answers = PuzzleAnswer.objects.filter(player=guest)
        answers.exclude(puzzle_id__in=list(answered)).update(player=account)
        merging.move_rated_puzzles(guest, account)
        courses.move(guest=guest, account=account)
        if Seat.objects.filter(player=guest).exists() or not merging.delete(guest, account):
            guest.is_active = False
            guest.save(update_fields=["is_active"])
        announce_name(account)
    return moved


def closed_token(player: Player) -> str:
    """Return the token with which a banned player, who cannot log in, reads why and appeals."""
    return signing.dumps(player.pk, salt=CLOSED)


def read_closed_token(token: str) -> Player | None:
    """Return the banned player of a token; None if it is wrong or old."""
    try:
        pk = signing.loads(token, salt=CLOSED, max_age=CLOSED_FOR)
    except signing.BadSignature:
        return None
    return Player.objects.filter(pk=pk, is_active=False).exclude(kind=Player.Kind.DELETED).first()


class AccountAdapter(SecurityMails):
    """Allauth adapter that checks names, and signs up guests in their existing row."""

    error_messages: ClassVar = {**SecurityMails.error_messages, **account_errors.MESSAGES}

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, Any], headers: Any = None
    ) -> EmailMessage:
        """Return a mail in the site's words, which `games.people.mail_queue` sends later."""
        letter = account_mails.letter(template_prefix, context)
        message: EmailMessage
        if letter is None:
            message = super().render_mail(template_prefix, email, context, headers)
        else:
            message = letter.message(to=email, sender=self.get_from_email(), headers=headers)
        message.connection = mail_queue.Queue()
        return message

    def new_user(self, request: HttpRequest) -> Player:
        """Return the guest who signs up, freshly loaded, or a new player."""
        user = request.user
        if isinstance(user, Player) and user.is_guest:
            return Player.objects.get(pk=user.pk)
        return Player()

    def save_user(
        self, request: HttpRequest, user: Player, form: BaseForm, commit: bool = True
    ) -> Player:
        """Store `user` as a person whose displayed name is their username."""
        super().save_user(request, user, form, commit=False)
        user.kind = Player.Kind.PERSON
        user.name = user.username
        user.name_skeleton = skeleton(user.name)
        if commit:
            user.save()
            announce_name(user)
            free_of_guests(user.name)
        return user

    def set_password(self, user: Any, password: str) -> None:
        """Store a new password and no other field: the row may be older than a ban or deletion.

        A banned player needs one too, to read why. A deleted one has none.

        Raises:
            LoggedOut: if the account was deleted meanwhile.
        """
        user.set_password(password)
        with transaction.atomic():
            row = lock_rows(user).get(user.pk)
            if row is None or row.kind == Player.Kind.DELETED:
                raise LoggedOut
            user.save(update_fields=["password"])

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name in its stored form; raise ValidationError if it is not available."""
        name = checked_name(username)
        if not shallow and not name_is_free(name):
            raise name_taken()
        return name

    def get_login_stages(self) -> list[str]:
        """Return the steps of a login."""
        own = {"allauth.mfa.stages.AuthenticateStage": "games.people.two_factor.SecondStep"}
        return [own.get(stage, stage) for stage in super().get_login_stages()]

    def pre_login(self, request: HttpRequest, user: Any, **how: Any) -> HttpResponse | None:
        """Return the answer that ends a login early; a ban whose days are over is lifted."""
        ended = user.banned_until is not None and user.banned_until <= true_time.now()
        if ended and not user.is_active:
            user.is_active, user.banned_until = True, None
            user.save(update_fields=["is_active", "banned_until"])
            refresh_tables(player=user)
        answer: HttpResponse | None = super().pre_login(request, user, **how)
        return answer

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Send a banned player, who gave their password, to the page that says until when."""
        return HttpResponseRedirect(reverse("games:closed", args=[closed_token(user)]))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return for what failed logins are counted: the name or address that was given.

        Allauth adds the host of the request, whose port anyone may choose. Names are compared in
        capitals, as the database finds them: "ı" is an I there.
        """
        given = str(credentials.get("email", credentials.get("username", ""))).upper()
        return f"login:{given}"  # apart from the second steps, which are counted likewise

    def login(self, request: HttpRequest, user: Any) -> None:
        """Log `user` in, and move the matches that they played as a guest in this browser."""
        before = request.user
        # Read before the login, since Django loads the user late: it would be the account.
        guest = before if isinstance(before, Player) and before.is_guest else None
        pushed_to = request.session.get(PUSHED_TO)
        super().login(request, user)
        if guest is not None and pushed_to:
            request.session[PUSHED_TO] = pushed_to  # a guest's session has ended
        if guest is not None and guest.pk != user.pk:
            merge_guest(guest=guest, account=user)

    def post_login(self, request: HttpRequest, user: Any, **how: Any) -> HttpResponse:
        """Return the response to a login; a browser without a language takes the user's."""
        response: HttpResponse = super().post_login(request, user, **how)
        if user.language and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            keep_language(response, user.language)
        return response


def keep_language(response: HttpResponse, language: str) -> None:
    """Set the language cookie of the pages."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
