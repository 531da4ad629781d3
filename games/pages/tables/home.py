"""The home page of a returning player, apart from the cards that `ratings` adds."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from games.archive import matches, selectors
from games.learn import drills, puzzles, rated_puzzles
from games.models import Player
from games.pages.tables.running import RunningLine, ended_lines, running_lines
from games.people import friends

SHOWN_RUNNING = 6
SHOWN_FRIENDS = 4
NEW_FOR = timedelta(days=1)  # after signing up, during which nobody is welcomed "back"


def home_context(*, player: Player) -> dict[str, object]:
    """Return what waits for a player: their games, what to practise, and friends online."""
    own = friends.friends_of(player=player) if player.is_person else []
    return {
        "just_joined": timezone.now() - player.date_joined < NEW_FOR,
        "running": own_games(player),
        "drills_due": drills.number_due(player=player),
        "puzzle_rating": rated_puzzles.rating_of(player=player),
        "puzzle_done": puzzles.has_answered_today(player=player),
        "puzzle_streak": puzzles.streak(player=player),
        "friends": len(own),
        "friends_online": [friend for friend in own if friend.online][:SHOWN_FRIENDS],
    }


def own_games(player: Player) -> list[RunningLine]:
    """Return a player's games: first those that wait for them, then new results, then the rest."""
    running = running_lines(selectors.unfinished(player=player), most=SHOWN_RUNNING)
    asked = [line for line in running if line.mine]
    others = [line for line in running if not line.mine]
    return [*asked, *ended_lines(matches.news(player)), *others]
