"""The rules for signing up for a tournament: who may, and when."""

from __future__ import annotations

from games.api import Player, Refused
from ratings.events.refusals import refused
from ratings.models import Club, Event, Membership, Rating
from ratings.standard import identities

Entry, Format = Event.Entry, Event.Format


def check_entry(event: Event, player: Player, token: str) -> None:
    """Check that a player may sign up.

    Raises:
        Refused: as `ratings.events.events.join`.
    """
    if event.is_running and not _admits_late(event):
        raise refused("event_closed")
    if _is_full(event):
        raise refused("event_full")
    if event.entry == Entry.LINK and token != event.token and not is_organiser(event, player):
        raise refused("event_link")
    if event.entry == Entry.TEAM:
        raise refused("event_team")
    if event.entry == Entry.CLUB and not _is_member(event, player):
        raise refused("event_club")
    if not _is_in_band(event, player):
        raise refused("event_band")
    linked = identities.with_linked([player])
    if event.entrants.filter(player_id__in=linked, computer=False).exists():
        raise refused("event_linked")


def _admits_late(event: Event) -> bool:
    if event.format == Format.ARENA:
        return True
    if event.format not in {Format.SWISS, Format.QUALIFYING}:
        return False
    # Players who join in the last round have no game.
    return event.played.count() <= min(event.late_rounds, event.rounds - 1)


def _is_full(event: Event) -> bool:
    rows = event.entrants.all()
    if event.is_planned:
        rows = rows.filter(player__is_active=True)
    return rows.count() >= event.places


def may_join(*, event: Event, player: Player | None, token: str = "") -> bool:
    """Whether a player, or a visitor who becomes a guest, could sign up now."""
    if event.is_over or (event.is_running and not _admits_late(event)):
        return False
    if _is_full(event):
        return False
    if player is None:
        rated = event.band_low is not None or event.band_high is not None
        by_link = event.entry == Entry.LINK and token == event.token
        return not rated and (by_link or event.entry == Entry.OPEN)
    try:
        check_entry(event, player, token)
    except Refused:
        return False
    return True


def _is_member(event: Event, player: Player) -> bool:
    return Membership.objects.filter(club=event.club_id, player=player).exists()


def is_organiser(event: Event, player: Player | None) -> bool:
    """Whether a player may run an event: who planned it or, for one of a club, its officers now."""
    if player is None:
        return False
    if event.club is not None:
        return is_officer(event.club, player)
    return event.made_by_id == player.pk


def is_officer(club: Club, player: Player) -> bool:
    """Whether a player may manage a club."""
    row = Membership.objects.filter(club=club, player=player).first()
    return row is not None and row.is_officer


def _is_in_band(event: Event, player: Player) -> bool:
    """Whether a player's rating is in the band; provisional ratings are in no band."""
    if event.band_low is None and event.band_high is None:
        return True
    row = Rating.objects.filter(player=player, seats=event.seats, provisional=False).first()
    if row is None:
        return False
    low, high = event.band_low or 0, event.band_high or 10_000
    return low <= row.rating <= high
