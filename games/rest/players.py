"""Endpoints of players and their ratings."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from ninja import Router

from games import hooks
from games.archive import profile
from games.models import Player
from games.rest.readers import ALL, OWN, REFUSALS, own, reader_of
from games.rest.schemas import Error, MetOut, PlayerOut, RatingOut, RatingsOut

router = Router(tags=["players"])


@router.get("/me", response={200: PlayerOut, **REFUSALS}, auth=OWN, summary="Get your own player")
def me(request: HttpRequest) -> PlayerOut:
    """Return the caller."""
    player = own(request)
    return _player(player, player)


@router.get(
    "/players/{slug:public_id}",
    response={200: PlayerOut, 404: Error, **REFUSALS},
    auth=ALL,
    summary="Get a player",
)
def player(request: HttpRequest, public_id: str) -> PlayerOut:
    """Return a player; only the name if their page is private."""
    return _player(_player_or_404(public_id), reader_of(request))


@router.get(
    "/players/{slug:public_id}/ratings",
    response={200: RatingsOut, 404: Error, **REFUSALS},
    auth=ALL,
    summary="Get a player's ratings",
)
def ratings(request: HttpRequest, public_id: str) -> RatingsOut:
    """Return a player's ratings; 404 for a private player."""
    known = _player_or_404(public_id)
    if _hidden(known, reader_of(request)):
        raise Http404
    return RatingsOut(ratings=_ratings(known))


def _player_or_404(public_id: str) -> Player:
    known = Player.objects.filter(public_id=public_id).exclude(kind=Player.Kind.DELETED).first()
    if known is None:
        raise Http404
    return known


def _hidden(player: Player, viewer: Player | None) -> bool:
    return player.private and player != viewer


def _ratings(player: Player) -> list[RatingOut]:
    return [RatingOut(**rating) for rating in hooks.ratings(player.pk)]


def _player(player: Player, viewer: Player | None) -> PlayerOut:
    hidden = _hidden(player, viewer)
    return PlayerOut(
        id=player.public_id,
        name=player.name,
        kind=player.kind,
        private=player.private,
        ratings=None if hidden else _ratings(player),
        head_to_head=None if hidden else _head_to_head(player, viewer),
    )


def _head_to_head(player: Player, viewer: Player | None) -> MetOut | None:
    if viewer is None or viewer == player:
        return None
    found = profile.head_to_head(viewer=viewer, player=player)
    if found is None:
        return MetOut(won=0, lost=0, undecided=0)
    return MetOut(won=found.won, lost=found.lost, undecided=found.drawn)
