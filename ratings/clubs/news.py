"""News of a club: short posts by its officers, which members read and can report."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from games.api import Player, locked_player, made_already
from ratings.clubs import clubs
from ratings.clubs.refusals import refused
from ratings.models import Club, ClubPost, Membership

Role = Membership.Role

PER_DAY = 5
"""Maximum number of posts of a club in 24 hours."""
KEPT = 30
"""Posts of a club that are kept; older ones are deleted."""
SHOWN = 5
NEW_FOR = timedelta(days=14)
"""Time for which the home page tells a player of a new task in a club."""


def post(*, club: Club, by: Player, text: str) -> ClubPost:
    """Post news, once if it is sent again, and delete the oldest if there are too many.

    Raises:
        Refused: ``club_officers``, ``club_muted`` or ``news_many``.
    """
    clubs.officer(club=club, player=by)
    if by.is_muted:
        raise refused("club_muted")
    with locked_player(by):
        clubs.lock(club)
        posts = club.posts.filter(kind=ClubPost.Kind.POST)
        known = made_already(posts.filter(author=by), at="at", text=text)
        if known is not None:
            return known
        if posts.filter(at__gt=timezone.now() - timedelta(days=1)).count() >= PER_DAY:
            raise refused("news_many")
        row = ClubPost.objects.create(club=club, author=by, text=text)
        kept = club.posts.order_by("-pk").values_list("pk", flat=True)[:KEPT]
        club.posts.exclude(pk__in=list(kept)).delete()
    return row


def delete(*, club: Club, by: Player, pk: int) -> None:
    """Delete a post of the club, by primary key; one that is gone already is ignored.

    Raises:
        Refused: ``club_officers``.
    """
    clubs.officer(club=club, player=by)
    club.posts.filter(pk=pk).delete()


def newest(*, club: Club) -> list[ClubPost]:
    """Return the newest posts with their authors, newest first."""
    return list(club.posts.select_related("author").order_by("-pk")[:SHOWN])


def new_task(*, player: Player) -> ClubPost | None:
    """Return the news that a player leads a club now, or is an officer of one, while it is new."""
    leads = Q(kind=ClubPost.Kind.LEADS, club__memberships__role=Role.FOUNDER)
    helps = Q(kind=ClubPost.Kind.HELPS, club__memberships__role__in=[Role.FOUNDER, Role.OFFICER])
    now = Q(club__memberships__player=player) & (leads | helps)
    new = player.club_posts.filter(now, at__gt=timezone.now() - NEW_FOR)
    return new.select_related("club").order_by("-pk").first()


def find(*, club: Club, pk: int, reader: Player) -> ClubPost:
    """Return another member's post, which a reader wants to report.

    Raises:
        Refused: ``news_gone`` if there is none, or if it is their own.
    """
    posts = club.posts.filter(kind=ClubPost.Kind.POST).select_related("author")
    row = posts.filter(pk=pk).exclude(author=reader).first()
    if row is None:
        raise refused("news_gone")
    return row


def export_of(player: int) -> Iterator[dict[str, Any]]:
    """Return a player's posts for the data export."""
    own = ClubPost.objects.filter(author_id=player, kind=ClubPost.Kind.POST)
    for row in own.select_related("club").order_by("pk"):
        yield {"club": row.club.name, "text": row.text, "at": row.at}
