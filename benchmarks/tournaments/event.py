"""An event of many computer players on a database of its own: pairing times, memory, standings.

The event's machine, its rows and its jobs are the real ones. Each game is drawn from the rating
model instead of played, unless ``--played`` has the computers play it move by move.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--played", action="store_true", help="play each game move by move")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'event.sqlite3'}"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        run(arguments.players, arguments.rounds, played=arguments.played)


def run(number: int, rounds: int, *, played: bool) -> None:
    """Run the event, and print what was measured."""
    from django.utils import timezone

    from games.models import Player
    from ratings.events import event_pages, events, pairings, progress
    from ratings.models import Event

    times: list[tuple[float, float]] = []
    real = pairings.start_round

    def timed(**arguments: Any) -> None:
        begun, used = time.perf_counter(), time.process_time()
        real(**arguments)
        times.append((time.perf_counter() - begun, time.process_time() - used))

    pairings.start_round = timed
    organiser = Player.objects.create_user("Organiser")
    plan = events.Plan(
        title="Large", format="swiss", starts_at=timezone.now(), rounds=rounds, places=number
    )
    event = events.plan(by=organiser, plan=plan)
    events.fill(event=event, by=organiser, number=number, level="poppy")
    begun = time.perf_counter()
    waits: list[tuple[float, float]] = []
    while not (event := Event.objects.get(pk=event.pk)).is_over:
        at, used = time.perf_counter(), time.process_time()
        progress.advance(event=event)
        waits.append((time.perf_counter() - at, time.process_time() - used))
        _finish_games(event, played=played)
    whole = time.perf_counter() - begun
    print(
        f"{number} players, {rounds} rounds, games {'played' if played else 'drawn'}: {whole:.0f} s"
    )
    for name, values in (("pairing a round", times), ("all steps between two rounds", waits)):
        walls, processors = zip(*values, strict=True)
        print(
            f"{name}: processor time {sum(processors) / len(values):.2f} s, "
            f"most {max(processors):.2f} s; "
            f"wall time {sum(walls) / len(values):.2f} s, most {max(walls):.2f} s"
        )
    at, used = time.perf_counter(), time.process_time()
    event_pages.sheet(event=event, viewer=organiser)
    wall, processor = time.perf_counter() - at, time.process_time() - used
    print(f"what its page shows: processor time {processor:.2f} s, wall time {wall:.2f} s")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory of the process: {memory:.0f} MB")
    print(f"pairs that met twice: {_repeats(event)}")
    print(f"standings equal an independent computation: {_agree(event)}")


def _finish_games(event: Any, *, played: bool) -> None:
    """Finish all games that wait for their result."""
    from django.utils import timezone

    from ratings.events import seating
    from ratings.models import Attempt, Play

    waiting = Play.objects.filter(
        finished_at=None, event_game__table__round__event=event
    ).values_list("pk", flat=True)
    keys = list(waiting)
    if played:
        for key in keys:
            seating.play_computers.call(key)
        return
    rows = list(Attempt.objects.filter(play__in=keys).order_by("play", "seat"))
    rng = random.Random(len(rows))
    cards = rng.gauss(2.8, 250**0.5)
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        margin = round(cards + rng.gauss(0, (190 + 26) ** 0.5)) or 1
        for row, own in ((first, margin), (second, -margin)):
            row.score = 121 if own > 0 else max(0, 121 + own)
            row.margin = row.counted = float(own)
            row.won, row.ended = own > 0, Attempt.Ended.PLAYED
    Attempt.objects.bulk_update(
        rows, ["score", "margin", "counted", "won", "ended"], batch_size=200
    )
    Play.objects.filter(pk__in=keys).update(finished_at=timezone.now())


def _repeats(event: Any) -> int:
    from ratings.models import EventTable

    rows = EventTable.objects.filter(round__event=event).values_list("first", "second")
    pairs = [frozenset(pair) for pair in rows]
    return len(pairs) - len(set(pairs))


def _agree(event: Any) -> bool:
    """Compare places with those computed from the attempts alone, without the site's scoring."""
    from ratings.models import Attempt, EventEntrant, EventGame

    seats: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    won: dict[int, int] = defaultdict(int)
    spread: dict[int, int] = defaultdict(int)
    met: dict[int, list[int]] = defaultdict(list)
    for game in EventGame.objects.filter(table__round__event=event).select_related("table__round"):
        scores = list(
            Attempt.objects.filter(play=game.play_id)
            .order_by("seat")
            .values_list("score", "counted")
        )
        sitting = [game.table.first_id, game.table.second_id]
        for place, who in enumerate(sitting):
            if who is None:
                continue
            seat = (place - game.deals) % 2
            own, other = scores[seat][0] or 0, scores[1 - seat][0] or 0
            seats[game.table.round.number, seat].append((who, scores[seat][1] or 0.0))
            won[who] += own > other
            spread[who] += own - other
            met[who].append(sitting[1 - place] or 0)
    points: dict[int, float] = defaultdict(float)
    for field in seats.values():
        for who, margin in field:
            less = sum(other < margin for _, other in field)
            level = sum(other == margin for _, other in field) - 1
            points[who] += (less + level / 2) / (len(field) - 1) if len(field) > 1 else 0.5
    rows = list(EventEntrant.objects.filter(event=event))
    strength = {row.pk: sum(points[other] for other in met[row.pk]) for row in rows}
    keys = {
        row.pk: (round(points[row.pk], 6), won[row.pk], spread[row.pk], round(strength[row.pk], 6))
        for row in rows
    }
    return all(row.place == 1 + sum(key > keys[row.pk] for key in keys.values()) for row in rows)


if __name__ == "__main__":
    main()
