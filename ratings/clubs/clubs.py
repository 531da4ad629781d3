"""Club management: create, join, run, hand over and dissolve clubs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Greatest
from django.utils import timezone

from games.api import (
    Match,
    Player,
    Ruleset,
    create_match,
    invite_token,
    locked_player,
    made_already,
    waits_already,
)
from ratings.clubs.refusals import refused
from ratings.models import Club, ClubNight, ClubPost, ClubTable, Entrant, LeagueTitle, Membership
from ratings.standard import identities

MAX_CLUBS = 20
"""Maximum number of clubs of one player."""
MAX_MEMBERS = 200
LINK_DAYS = 30
"""Days after which an invitation link expires, unless an officer chooses otherwise."""

Role = Membership.Role


def create(*, player: Player, name: str, description: str = "", listed: bool = False) -> Club:
    """Create a club with ``player`` as its founder; return it if the form is sent again.

    Raises:
        Refused: ``club_account``, ``club_many`` or ``club_muted``.
    """
    _check_not_muted(player)
    with locked_player(player):
        own = Club.objects.filter(memberships__player=player, memberships__role=Role.FOUNDER)
        known = made_already(own, name=name, description=description, listed=listed)
        if known is not None:
            return known
        _check_can_join(player)
        club = Club.objects.create(
            name=name,
            description=description,
            listed=listed,
            token_until=timezone.now() + timedelta(days=LINK_DAYS),
        )
        Membership.objects.create(club=club, player=player, role=Role.FOUNDER)
    return club


def edit(*, club: Club, by: Player, name: str, description: str, listed: bool = False) -> None:
    """Change a club's name and description, and whether everyone can find it.

    Raises:
        Refused: ``club_officers`` or ``club_muted``.
    """
    officer(club=club, player=by)
    _check_not_muted(by)
    club.name, club.description, club.listed = name, description, listed
    club.save(update_fields=["name", "description", "listed"])


def renew_link(*, club: Club, by: Player, days: int | None = LINK_DAYS) -> None:
    """Replace a club's invitation link; the old one no longer works.

    The new one expires after ``days``; with None never, with 0 at once, so that there is none.

    Raises:
        Refused: ``club_officers``.
    """
    officer(club=club, player=by)
    club.token = invite_token()
    club.token_until = None if days is None else timezone.now() + timedelta(days=days)
    club.save(update_fields=["token", "token_until"])


def join(*, player: Player, token: str) -> Club:
    """Add a person to the club of a link; members keep their role.

    Raises:
        Refused: ``club_unknown``, ``club_account``, ``club_many`` or ``club_full``.
    """
    club = Club.objects.filter(token=token).first() if token else None
    if club is None:
        raise refused("club_unknown")
    return _add(club, player, token)


def enter(*, club: Club, player: Player) -> Club:
    """Add a person to a club that they found by the search; members keep their role.

    Raises:
        Refused: ``club_unlisted``, also for players whom an officer removed, and for their linked
            accounts; ``club_account``, ``club_many`` or ``club_full``.
    """
    return _add(club, player)


def _add(club: Club, player: Player, token: str = "") -> Club:
    with locked_player(player):
        lock(club)
        club.refresh_from_db()  # an officer may just have removed the player
        _check_way_in(club, player, token)
        if club.memberships.filter(player=player).exists():
            return club
        _check_can_join(player)
        if club.memberships.count() >= MAX_MEMBERS:
            raise refused("club_full")
        Membership.objects.create(club=club, player=player, role=_first_role(club))
        club.barred.filter(player__in=identities.with_linked([player])).delete()
    return club


def _check_way_in(club: Club, player: Player, token: str) -> None:
    """Check the link with which a player comes; without one, that they may come by the search."""
    if token:
        if token != club.token or not club.link_works:
            raise refused("club_unknown")
    elif not club.listed or _is_barred(club, player):
        raise refused("club_unlisted")


def _is_barred(club: Club, player: Player) -> bool:
    return bool(club.barred.filter(player__in=identities.with_linked([player])).exists())


def _first_role(club: Club) -> Membership.Role:
    """Return the role of a player who joins a club: at least one member must be able to run it."""
    members = club.memberships.all()
    if not members.exists():  # the founder deleted their account during a club night
        return Role.FOUNDER
    return Role.MEMBER if members.filter(player__is_active=True).exists() else Role.OFFICER


def lock(club: Club) -> None:
    """Lock a club's row until the transaction ends, so that its limits are checked one by one.

    Raises:
        Refused: ``club_unknown`` if it was dissolved meanwhile.
    """
    if not Club.objects.select_for_update(no_key=True).filter(pk=club.pk).values("pk").first():
        raise refused("club_unknown")


def leave(*, club: Club, player: Player) -> None:
    """Remove a player's own membership.

    Raises:
        Refused: ``club_hand_over`` for the founder, ``club_member``.
    """
    with transaction.atomic():
        lock(club)
        if _membership(club, player).is_founder:
            raise refused("club_hand_over")
        club.memberships.filter(player=player).delete()
        _let_run(_heir(club, without=player.pk))


def remove(*, club: Club, by: Player, player: Player) -> None:
    """Remove a member, and renew the link so that they cannot rejoin with it or by the search.

    Officers can remove members; the founder can remove officers too.

    Raises:
        Refused: ``club_officers``, ``club_founder`` or ``club_member``.
    """
    with transaction.atomic():
        lock(club)
        own, other = officer(club=club, player=by), _membership(club, player)
        if other.is_officer and not (own.is_founder and not other.is_founder):
            raise refused("club_founder")
        other.delete()
        club.barred.get_or_create(player=player)
        _new_token(club)


def appoint(*, club: Club, by: Player, player: Player, officer: bool) -> None:
    """Make a member an officer, or an officer a plain member.

    Raises:
        Refused: ``club_founder`` or ``club_member``.
    """
    with transaction.atomic():
        lock(club)
        _founder_row(club, by)
        row = _membership(club, player)
        if not row.is_founder:
            row.role = Role.OFFICER if officer else Role.MEMBER
            row.save(update_fields=["role"])


def hand_over(*, club: Club, by: Player, player: Player) -> None:
    """Make another member the founder; the old founder becomes an officer.

    Raises:
        Refused: ``club_founder`` or ``club_member``.
    """
    with transaction.atomic():
        lock(club)
        own, other = _founder_row(club, by), _membership(club, player)
        if own.pk != other.pk:
            _transfer_ownership(own, other)


def dissolve(*, club: Club, by: Player) -> None:
    """Delete a club with its nights and standings; the matches remain.

    Raises:
        Refused: ``club_founder``, or ``club_night_runs``.
    """
    with transaction.atomic():
        lock(club)
        _founder_row(club, by)
        if club.nights.filter(state=ClubNight.State.RUNNING).exists():
            raise refused("club_night_runs")
        club.delete()


def open_table(*, club: Club, player: Player, ruleset: Ruleset) -> Match:
    """Create a table that only the club sees; a form sent twice creates one.

    Raises:
        Refused: ``club_member``.
    """
    _membership(club, player)
    with locked_player(player):
        own = Match.objects.filter(created_by=player, club_table__club=club)
        rules, waiting = ruleset.to_dict(), Match.Status.WAITING
        known = waits_already(own, at="created_at", ruleset=rules, status=waiting)
        if known is not None and known.seats.filter(player__isnull=False).count() == 1:
            return known
        match = create_match(creator=player, ruleset=ruleset, listed_elsewhere=True)
        ClubTable.objects.create(club=club, match=match)
    return match


def officer(*, club: Club, player: Player) -> Membership:
    """Return the membership of an officer.

    Raises:
        Refused: ``club_officers`` for anyone else.
    """
    row = club.memberships.filter(player=player).first()
    if row is None or not row.is_officer:
        raise refused("club_officers")
    return row


def leave_all(*, player: int) -> None:
    """Remove a player from all clubs, by primary key, before their account is deleted.

    Their clubs go to another member (`_heir`); clubs without other members are deleted, unless a
    night is under way: then the next person to join becomes the founder. Results of club nights
    stay, since they are also other players' results; titles are deleted. The player is withdrawn
    from coming nights. A club whose founder is banned gets another officer, if they were the last.
    """
    for club, own, heir in _led(player):
        if not own.is_founder:
            _let_run(heir)
        elif heir is not None:
            _transfer_ownership(own, heir)
        elif not club.nights.filter(state=ClubNight.State.RUNNING).exists():
            club.delete()
    Membership.objects.filter(player_id=player).delete()
    ClubPost.objects.filter(author_id=player).delete()
    LeagueTitle.objects.filter(player_id=player).delete()
    entered = Entrant.objects.filter(player_id=player)
    entered.filter(night__state=ClubNight.State.PLANNED).delete()
    entered.update(absent=True, from_game=Greatest("from_game", 1))


def replace_banned(*, player: int) -> None:
    """Hand the clubs of a banned player (primary key) to a member who can log in.

    A founder who is banned for good is succeeded and becomes a member. After any other ban of a
    founder or officer, a member becomes an officer where no other officer can log in.
    """
    for _club, own, heir in _led(player):
        if heir is None or not heir.player.is_active:
            continue
        if own.is_founder and own.player.banned_until is None:
            _transfer_ownership(own, heir, left=Role.MEMBER)
        else:
            _let_run(heir)


def _led(player: int) -> Iterator[tuple[Club, Membership, Membership | None]]:
    """Lock and yield the clubs of a founder or officer (primary key), with them and the heir."""
    ranks = [Role.FOUNDER, Role.OFFICER]
    led = Club.objects.filter(memberships__player=player, memberships__role__in=ranks)
    for key in list(led.order_by("pk").values_list("pk", flat=True)):
        club = Club.objects.select_for_update(no_key=True).filter(pk=key).first()
        own = Membership.objects.filter(club=key, player=player).select_related("player").first()
        if club is not None and own is not None:
            yield club, own, _heir(club, without=player)


def _heir(club: Club, *, without: int) -> Membership | None:
    """Return who is to run a club after this member (primary key).

    It is the officer who has been a member longest or, without officers, the member who has.
    Members whose account is closed come last.
    """
    return min(
        club.memberships.exclude(player=without).select_related("player"),
        key=lambda row: (not row.player.is_active, not row.is_officer, row.joined_at, row.pk),
        default=None,
    )


def _let_run(heir: Membership | None) -> None:
    """Make the heir an officer, if they can log in and are not one yet."""
    if heir is not None and heir.player.is_active and not heir.is_officer:
        heir.role = Role.OFFICER
        heir.save(update_fields=["role"])
        _announce(heir, ClubPost.Kind.HELPS)


def _transfer_ownership(
    founder: Membership, heir: Membership, *, left: Membership.Role = Role.OFFICER
) -> None:
    """Make the heir the founder. The old founder gets another role first: a club has only one."""
    founder.role, heir.role = left, Role.FOUNDER
    founder.save(update_fields=["role"])
    heir.save(update_fields=["role"])
    _announce(heir, ClubPost.Kind.LEADS)


def _announce(heir: Membership, task: ClubPost.Kind) -> None:
    """Tell the members, and the heir, of the heir's new task, but not why it is theirs.

    The last such news replaces the one before, so that they do not push out what officers write.
    """
    ClubPost.objects.filter(club_id=heir.club_id, kind=task).delete()
    ClubPost.objects.create(club_id=heir.club_id, author_id=heir.player_id, kind=task)


def _new_token(club: Club) -> None:
    club.token = invite_token()
    club.save(update_fields=["token"])


def _founder_row(club: Club, player: Player) -> Membership:
    row = club.memberships.filter(player=player).first()
    if row is None or not row.is_founder:
        raise refused("club_founder")
    return row


def _membership(club: Club, player: Player) -> Membership:
    row = club.memberships.filter(player=player).first()
    if row is None:
        raise refused("club_member")
    return row


def _check_can_join(player: Player) -> None:
    """Refuse a player who may not join another club; call it with the player locked."""
    if not player.is_person:
        raise refused("club_account")
    if player.memberships.count() >= MAX_CLUBS:
        raise refused("club_many")


def _check_not_muted(player: Player) -> None:
    if player.is_muted:
        raise refused("club_muted")
