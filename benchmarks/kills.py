"""Benchmark P8, a server killed repeatedly under load: ``python -m benchmarks.kills [--kills N]``.

The server gets SIGKILL at random moments while people play, and is restarted; clients reconnect and
continue. All acknowledged moves must be in the log exactly once, and the log must fold to what the
summaries say. PostgreSQL, one process.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.realtime import show
from tests.support.data_servers import Postgres
from tests.support.killing import Bystander, play_through_kills, what_is_left
from tests.support.servers import Site, manage
from tests.support.tables import make_tables, wish

KILLS = 20
EXTRA = {"COMPUTER_PAUSE_MS": "0", "SOCKET_RATE": "1000"}
WISHES = [
    *(wish(games=9) for _ in range(5)),
    *(wish(players=3, games=9) for _ in range(2)),
    wish(computers=(1,), games=9),
]


def main() -> int:
    """Run servers, kills and checks; return 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=KILLS)
    kills = parser.parse_args().kills
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cribbage-kills-")))
        folder.chmod(0o755)
        postgres = stack.enter_context(Postgres(folder))
        url = postgres.create_database("kills")
        manage(url, "migrate", "-v", "0")
        site = stack.enter_context(Site(folder, database_url=url, extra=EXTRA))
        games = [
            Bystander(site, table, seed * 10)
            for seed, table in enumerate(make_tables(url, *WISHES))
        ]
        started = time.perf_counter()
        asyncio.run(play_through_kills(site, games, kills, moves=1))
        seconds = time.perf_counter() - started
        site.stop()  # while it runs, a hand may end between two looks at the database
        left = [what_is_left(url, game) for game in games]
    acknowledged = sum(game.acknowledged for game in games)
    lost, doubled = (sum(len(getattr(one, name)) for one in left) for name in ("lost", "doubled"))
    agree = sum(one.hands == one.summed for one in left)
    show(
        [
            Figure(f"P8 kills in {seconds:.0f} s", kills, ""),
            Figure("P8 moves acknowledged meanwhile", acknowledged, "", at_least=1),
            Figure("P8 of these lost", lost, "", at_most=0),
            Figure("P8 moves stored twice", doubled, "", at_most=0),
            Figure(
                f"P8 logs of {len(games)} that fold to their summaries",
                agree,
                "",
                at_least=len(games),
            ),
        ]
    )
    return 0 if acknowledged and not lost and not doubled and agree == len(games) else 1


if __name__ == "__main__":
    sys.exit(main())
