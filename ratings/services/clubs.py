"""Clubs: founded, joined by a link, run by officers, handed over, dissolved."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from games.api import Match, Player, Ruleset, create_match, invite_token
from ratings.models import Club, ClubNight, ClubTable, Entrant, Membership
from ratings.refusals import refused

MAX_CLUBS = 20
"""Clubs of one player."""
MAX_MEMBERS = 200

Role = Membership.Role


def found(*, player: Player, name: str, description: str = "") -> Club:
    """Make a club, whose founder a person becomes.

    Raises:
        Refused: ``club_account``, ``club_many`` or ``club_muted``.
    """
    _check_person(player)
    _check_writes(player)
    with transaction.atomic():
        club = Club.objects.create(name=name, description=description)
        Membership.objects.create(club=club, player=player, role=Role.FOUNDER)
    return club


def edit(*, club: Club, by: Player, name: str, description: str) -> None:
    """Give a club another name and description.

    Raises:
        Refused: ``club_officers`` or ``club_muted``.
    """
    officer(club=club, player=by)
    _check_writes(by)
    club.name, club.description = name, description
    club.save(update_fields=["name", "description"])


def renew_link(*, club: Club, by: Player) -> None:
    """Give a club a new invitation link; the old one lets nobody in any more.

    Raises:
        Refused: ``club_officers``.
    """
    officer(club=club, player=by)
    _new_token(club)


def join(*, player: Player, token: str) -> Club:
    """Take a person into the club of a link; who is in it already stays what he is.

    Raises:
        Refused: ``club_unknown``, ``club_account``, ``club_many`` or ``club_full``.
    """
    club = Club.objects.filter(token=token).first() if token else None
    if club is None:
        raise refused("club_unknown")
    if club.memberships.filter(player=player).exists():
        return club
    _check_person(player)
    if club.memberships.count() >= MAX_MEMBERS:
        raise refused("club_full")
    try:
        with transaction.atomic():
            Membership.objects.create(club=club, player=player)
    except IntegrityError:
        pass  # he asked twice at once
    return club


def leave(*, club: Club, player: Player) -> None:
    """Leave a club.

    Raises:
        Refused: ``club_hand_over`` to its founder, ``club_member``.
    """
    if _row(club, player).is_founder:
        raise refused("club_hand_over")
    club.memberships.filter(player=player).delete()


def remove(*, club: Club, by: Player, player: Player) -> None:
    """Put a member out, and renew the link, so that he does not come back by it.

    Officers put members out, the founder officers, too.

    Raises:
        Refused: ``club_officers``, ``club_founder`` or ``club_member``.
    """
    with transaction.atomic():
        mine, his = officer(club=club, player=by), _row(club, player)
        if his.is_officer and not (mine.is_founder and not his.is_founder):
            raise refused("club_founder")
        his.delete()
        _new_token(club)


def appoint(*, club: Club, by: Player, player: Player, officer: bool) -> None:
    """Make a member an officer, or an officer a member.

    Raises:
        Refused: ``club_founder`` or ``club_member``.
    """
    with transaction.atomic():
        _founder(club, by)
        row = _row(club, player)
        if not row.is_founder:
            row.role = Role.OFFICER if officer else Role.MEMBER
            row.save(update_fields=["role"])


def hand_over(*, club: Club, by: Player, player: Player) -> None:
    """Make another member the founder; who was it stays as an officer.

    Raises:
        Refused: ``club_founder`` or ``club_member``.
    """
    with transaction.atomic():
        mine, his = _founder(club, by), _row(club, player)
        if mine.pk != his.pk:
            _succeed(mine, his)


def dissolve(*, club: Club, by: Player) -> None:
    """Do away with a club, its nights and their standings; the matches stay what they are.

    Raises:
        Refused: ``club_founder``, or ``club_night_runs``.
    """
    with transaction.atomic():
        _founder(club, by)
        if club.nights.filter(state=ClubNight.State.RUNNING).exists():
            raise refused("club_night_runs")
        club.delete()


def open_table(*, club: Club, player: Player, ruleset: Ruleset) -> Match:
    """Make a table that the club is shown and nobody else.

    Raises:
        Refused: ``club_member``.
    """
    _row(club, player)
    with transaction.atomic():
        match = create_match(creator=player, ruleset=ruleset)
        ClubTable.objects.create(club=club, match=match)
    return match


def officer(*, club: Club, player: Player) -> Membership:
    """Return the row of an officer.

    Raises:
        Refused: ``club_officers`` for anybody else.
    """
    row = club.memberships.filter(player=player).first()
    if row is None or not row.is_officer:
        raise refused("club_officers")
    return row


def forget(*, player: int) -> None:
    """Take somebody whose account goes out of his clubs; by primary key.

    A club of his goes to the officer who has been in it longest, else to the member who has; one
    with nobody else in it is dissolved. What he played on club nights stays, as the others'
    results; in those to come he takes no part.
    """
    for row in Membership.objects.filter(player_id=player, role=Role.FOUNDER):
        others = row.club.memberships.exclude(pk=row.pk).order_by("joined_at", "pk")
        heir = others.filter(role=Role.OFFICER).first() or others.first()
        if heir is not None:
            _succeed(row, heir)
        elif not row.club.nights.filter(state=ClubNight.State.RUNNING).exists():
            row.club.delete()
    Membership.objects.filter(player_id=player).delete()
    entered = Entrant.objects.filter(player_id=player)
    entered.filter(night__state=ClubNight.State.PLANNED).delete()
    entered.update(absent=True)


def _succeed(mine: Membership, his: Membership) -> None:
    """Make somebody the founder in another's place: there are never two."""
    mine.role, his.role = Role.OFFICER, Role.FOUNDER
    mine.save(update_fields=["role"])
    his.save(update_fields=["role"])


def _new_token(club: Club) -> None:
    club.token = invite_token()
    club.save(update_fields=["token"])


def _founder(club: Club, player: Player) -> Membership:
    row = club.memberships.filter(player=player).first()
    if row is None or not row.is_founder:
        raise refused("club_founder")
    return row


def _row(club: Club, player: Player) -> Membership:
    row = club.memberships.filter(player=player).first()
    if row is None:
        raise refused("club_member")
    return row


def _check_person(player: Player) -> None:
    if not player.is_person:
        raise refused("club_account")
    if player.memberships.count() >= MAX_CLUBS:
        raise refused("club_many")


def _check_writes(player: Player) -> None:
    if player.is_muted:
        raise refused("club_muted")
