"""Django app configuration: registers the callbacks that games use to reach this app.

The registered functions import what they need when they are called, so numpy and the model are
loaded with the first result rather than at process start.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, time, timedelta
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    """The app of standard games, ratings, clubs and tournaments."""

    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        """Register with `games.hooks`."""
        from games.api import (
            StandardGamesKeeper,
            on_banned,
            on_blocking,
            on_erasing,
            on_exporting,
            on_field,
            on_finished,
            on_fragment,
            on_left,
            on_linked,
            on_merging,
            on_pardoned,
            on_preview,
            on_rated,
            on_reached,
            on_results_removed,
            on_same_reader,
            on_standard_games,
        )

        on_finished(_collect_result)
        on_left(_record_leaving)
        on_linked(_linked)
        on_pardoned(_forgive_leavings)
        on_results_removed(_remove_results)
        on_merging(_merge_guest)
        on_same_reader(_same_reader)
        on_erasing(_leave_clubs)
        on_banned(_banned)
        on_blocking(_wait_for_pairing)
        on_exporting(_export)
        on_field(_field)
        on_rated(_ratings)
        on_reached(_visible_hands)
        on_standard_games(
            StandardGamesKeeper(
                _plays_of, _matches_on, _same_cards, _secret_matches, _held_back, _opened_since
            )
        )
        on_fragment("table", _table_commitment)
        on_fragment("table", _expected)
        on_fragment("match", _match_links)
        on_fragment("recap", _recap)
        on_fragment("player-head", _player_styles)
        on_fragment("player", _player_ratings)
        on_fragment("player", _player_titles)
        on_fragment("case", _player_ratings)
        on_fragment("case", _case)
        on_fragment("landing", _landing_deal)
        on_preview("ratings:daily", _daily_preview)
        on_preview("ratings:challenge", _challenge_preview)
        on_preview("ratings:club_join", _club_preview)
        on_preview("ratings:night", _night_preview)
        on_preview("ratings:event", _event_preview)
        on_fragment("home", _home_cards)
        _watch_matches()
        _schedule()


def _watch_matches() -> None:
    """Have leagues hear of results, tournaments of free players, and nights of awaited ones."""
    from ratings.clubs.released import on_released
    from ratings.clubs.tournaments_first import on_asked
    from ratings.events.over import on_over

    on_over(_event_over)
    on_released(_released)
    on_asked(_awaited_by_tournaments)


def _schedule() -> None:
    """Register the jobs that repeat, in UTC."""
    from games.api import daily, every, scheduled

    scheduled("ratings.standard.daily.turn_day", after=daily(time(0, 0)))
    scheduled("ratings.standard.challenge.close_old", after=daily(time(4, 20)))
    scheduled("ratings.matchmaking.networks.forget_networks", after=daily(time(4, 25)))
    scheduled("ratings.rating.refit.refit_all", after=daily(time(4, 30)))
    scheduled("ratings.seasons.closing.count_seasons", after=every(timedelta(hours=1)))


def _collect_result(match: int) -> None:
    from ratings.models import Play
    from ratings.rating.results import collect

    play = collect(match=match)
    if play is None:
        return
    from ratings.standard.seated import TIMED

    if play.kind in TIMED:
        from ratings.clubs.night_state_machine import resume_nights
        from ratings.events.progress import resume_events

        resume_nights(play=play)
        resume_events(play=play)
    if play.kind == Play.Kind.CLUB:
        from ratings.clubs.night_state_machine import advance_after

        advance_after(play=play)
    elif play.kind == Play.Kind.EVENT:
        from ratings.events.progress import advance_after as advance_event_after

        advance_event_after(play=play)


def _event_over(event: Any) -> None:
    from ratings.team_leagues.progress import event_over

    event_over(event)


def _released(players: Collection[int]) -> None:
    from ratings.events.progress import resume_events_of

    resume_events_of(players)


def _awaited_by_tournaments(players: Collection[int], now: datetime) -> Mapping[int, datetime]:
    from ratings.events.waiting import players_awaited

    return players_awaited(players, now)


def _record_leaving(match: int, player: int, timed_out: bool, excused: bool) -> None:
    from ratings.clubs.night_state_machine import resume_nights_of
    from ratings.events.progress import resume_events_of
    from ratings.matchmaking.leavers import record_leaving

    record_leaving(match=match, player=player, timed_out=timed_out, excused=excused)
    # Their seat is given up at once, while the match may go on for long.
    resume_nights_of([player])
    resume_events_of([player])


def _linked(player: int) -> Collection[int]:
    from ratings.standard.identities import linked_to

    return linked_to(player)


def _forgive_leavings(player: int) -> None:
    from ratings.matchmaking.leavers import forgive

    forgive(player=player)


def _remove_results(player: int, removed: bool) -> None:
    from ratings.rating.moderation import remove_results, restore_results
    from ratings.seasons.closing import withdraw

    withdraw(player=player, withdrawn=removed)
    if removed:
        remove_results(player=player)
    else:
        restore_results(player=player)


def _merge_guest(guest: int, account: int) -> None:
    from ratings.clubs import league_titles, nights
    from ratings.events import events
    from ratings.matchmaking import linked_accounts, queue

    # Before the pool, as everywhere. A seat given now would refer to a guest who is gone.
    nights.hold_entered(guest)
    events.hold_entered(guest)
    linked_accounts.merge(guest=guest, account=account)
    queue.merge(guest=guest, account=account)
    nights.merge(guest=guest, account=account)
    league_titles.merge(guest=guest, account=account)
    events.merge(guest=guest, account=account)


def _same_reader(player: int | None, cookies: Mapping[str, str]) -> Collection[int]:
    from ratings.pages.device import accounts_of_reader

    return accounts_of_reader(player, cookies)


def _wait_for_pairing() -> None:
    from ratings.standard.catalogue import lock_pool

    lock_pool()


def _banned(player: int) -> None:
    from ratings.clubs.clubs import replace_banned
    from ratings.clubs.nights import no_longer_awaited

    replace_banned(player=player)
    no_longer_awaited(player)


def _leave_clubs(player: int) -> None:
    from ratings.clubs.clubs import leave_all
    from ratings.events.events import leave_all as leave_events
    from ratings.seasons.closing import forget
    from ratings.team_leagues.leagues import leave_all as leave_teams

    forget(player=player)
    leave_all(player=player)
    leave_teams(player=player)
    leave_events(player=player)


def _visible_hands(match: int, player: int | None) -> int | None:
    from ratings.standard.access import visible_hands_in

    return visible_hands_in(match=match, player=player)


def _field(match: int, player: int) -> Any:
    from ratings.standard.field_comparison import field_of_match

    return field_of_match(match=match, player=player)


def _export(player: int) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    from ratings.clubs.player_data import export_of
    from ratings.events.event_lists import export_of as tournaments_of
    from ratings.seasons.season_lists import export_of as seasons_of
    from ratings.team_leagues.sheets import export_of as teams_of

    return {
        **export_of(player),
        "tournaments": tournaments_of(player),
        "seasons": seasons_of(player),
        "team_leagues": teams_of(player),
    }


def _ratings(player: int) -> list[dict[str, Any]]:
    from ratings.clubs.player_data import ratings_of

    return ratings_of(player)


def _plays_of(matches: Collection[int]) -> Mapping[int, Any]:
    from ratings.standard.match_links import plays_of

    return plays_of(matches)


def _matches_on(number: int, player: int) -> Collection[int]:
    from ratings.standard.match_links import matches_on

    return matches_on(number=number, player=player)


def _same_cards(matches: Collection[int], player: int) -> Collection[int]:
    from ratings.standard.match_links import same_cards

    return same_cards(matches=matches, player=player)


def _secret_matches(matches: Collection[int]) -> Collection[int]:
    from ratings.standard.access import secret_matches

    return secret_matches(matches)


def _opened_since(moment: datetime) -> Collection[int]:
    from ratings.standard.access import opened_since

    return opened_since(moment)


def _held_back(matches: Collection[int]) -> Collection[int]:
    from ratings.standard.access import held_back

    return held_back(matches)


def _table_commitment(page: Mapping[str, Any]) -> str:
    from ratings.pages.fragments import table_commitment

    return table_commitment(page)


def _expected(page: Mapping[str, Any]) -> str:
    from ratings.pages.next_game import expected

    return expected(page)


def _match_links(page: Mapping[str, Any]) -> str:
    from ratings.pages.fragments import match_links

    return match_links(page)


def _recap(page: Mapping[str, Any]) -> str:
    from ratings.pages.recap import recap

    return recap(page)


def _player_styles(page: Mapping[str, Any]) -> str:
    from ratings.pages.fragments import player_styles

    return player_styles(page)


def _player_ratings(page: Mapping[str, Any]) -> str:
    from ratings.pages.fragments import player_ratings

    return player_ratings(page)


def _player_titles(page: Mapping[str, Any]) -> str:
    from ratings.pages.events_fragments import player_titles

    return player_titles(page)


def _case(page: Mapping[str, Any]) -> str:
    from ratings.pages.moderation import evidence

    return evidence(page)


def _landing_deal(page: Mapping[str, Any]) -> str:
    from ratings.pages.home import landing_deal

    return landing_deal(page)


def _home_cards(page: Mapping[str, Any]) -> str:
    from ratings.pages.home import home_cards

    return home_cards(page)


def _daily_preview() -> Any:
    from ratings.pages.previews import daily_game

    return daily_game()


def _challenge_preview(token: str) -> Any:
    from ratings.pages.previews import challenge

    return challenge(token)


def _club_preview(token: str) -> Any:
    from ratings.pages.previews import club

    return club(token)


def _night_preview(token: str) -> Any:
    from ratings.pages.previews import night

    return night(token)


def _event_preview(public_id: str) -> Any:
    from ratings.pages.previews import event

    return event(public_id)
