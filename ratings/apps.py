"""Django's entry to the app."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    """Standard games and ratings."""

    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        """Ask to be told of matches that end and guests who log in, and asked who may see cards."""
        from games.api import (
            StandardGamesKeeper,
            on_erasing,
            on_exporting,
            on_field,
            on_finished,
            on_left,
            on_merging,
            on_pardoned,
            on_rated,
            on_reached,
            on_standard_games,
        )

        on_finished(_collect)
        on_left(_left)
        on_pardoned(_pardoned)
        on_merging(_merge)
        on_erasing(_forget)
        on_exporting(_kept)
        on_field(_field)
        on_rated(_rated)
        on_reached(_reached)
        on_standard_games(StandardGamesKeeper(_numbers, _played, _same, _secret))


def _collect(match: int) -> None:
    """Numpy and the model are loaded when the first result comes in, not at the start."""
    from ratings.models import Play
    from ratings.services.collecting import collect

    play = collect(match=match)
    if play is not None and play.kind == Play.Kind.CLUB:
        from ratings.services.tending import tend_after

        tend_after(play=play)


def _left(match: int, player: int, timed_out: bool, excused: bool) -> None:
    from ratings.services.penalties import note_left

    note_left(match=match, player=player, timed_out=timed_out, excused=excused)


def _pardoned(player: int) -> None:
    from ratings.services.penalties import forgive

    forgive(player=player)


def _merge(guest: int, account: int) -> None:
    from ratings.services import linking, nights

    linking.merge(guest=guest, account=account)
    nights.merge(guest=guest, account=account)


def _forget(player: int) -> None:
    from ratings.services.clubs import forget

    forget(player=player)


def _reached(match: int, player: int | None) -> int | None:
    from ratings.selectors.access import hands_reached_in

    return hands_reached_in(match=match, player=player)


def _field(match: int, player: int) -> Any:
    from ratings.selectors.beside import field_of_match

    return field_of_match(match=match, player=player)


def _kept(player: int) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    from ratings.selectors.about import kept_of

    return kept_of(player)


def _rated(player: int) -> list[dict[str, Any]]:
    from ratings.selectors.about import ratings_of

    return ratings_of(player)


def _numbers(matches: Collection[int]) -> Mapping[int, int]:
    from ratings.selectors.listing import numbers_of

    return numbers_of(matches)


def _played(number: int, player: int) -> Collection[int]:
    from ratings.selectors.listing import matches_on

    return matches_on(number=number, player=player)


def _same(matches: Collection[int], player: int) -> Collection[int]:
    from ratings.selectors.listing import same_cards

    return same_cards(matches=matches, player=player)


def _secret(matches: Collection[int]) -> Collection[int]:
    from ratings.selectors.access import secret_matches

    return secret_matches(matches)
