"""Database constraints: the database itself refuses invalid rows."""

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.backends.base.operations import BaseDatabaseOperations

from cribbage_site import env
from cribbage_site.postgresql.pooled import PooledConnection
from games.models import Hand, HandSeat, Match, Move, Player, Seat
from games.models.ids import ALPHABET, invite_token, public_id
from tests.support.data_servers import Postgres
from tests.support.servers import ROOT, manage

pytestmark = pytest.mark.django_db

SETTINGS = str(ROOT / "cribbage_site/settings.py")


def a_match() -> Match:
    return Match.objects.create(ruleset={})


def refused(constraint: str, act: Callable[[], object]) -> None:
    """Expect `act` to violate a constraint; for a plain unique key SQLite names its columns."""
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        act()
    assert constraint in str(error.value)


def person(name: str = "Ann") -> Player:
    return Player.objects.create_user(name)


def test_a_person_is_created_from_a_name() -> None:
    ann = person()
    assert (ann.name, ann.username, ann.kind, str(ann)) == ("Ann", "Ann", "person", "Ann")
    assert ann.is_person
    assert not ann.is_guest
    assert not ann.is_computer


def test_a_superuser_is_a_person_too() -> None:
    keeper = Player.objects.create_superuser("Keeper", password="x")
    assert keeper.is_superuser
    assert keeper.name == "Keeper"


def test_a_superuser_whose_name_looks_like_anothers_is_refused_in_one_line() -> None:
    person("Bill")
    with pytest.raises(CommandError, match="looks like another player's"), transaction.atomic():
        call_command("createsuperuser", interactive=False, username="BiIl", email="")
    call_command("createsuperuser", interactive=False, username="Keeper", email="", verbosity=0)
    assert Player.objects.get(is_superuser=True).name == "Keeper"


def test_two_people_cannot_have_names_that_look_alike() -> None:
    person("Bill")
    refused("name_skeleton", lambda: person("BiIl"))


def test_a_guest_may_have_a_name_like_a_persons() -> None:
    person("Bill")
    Player.objects.create(username="guest-1", kind="guest", name="Bill", name_skeleton="blll")


def test_an_unknown_kind_of_player_is_refused() -> None:
    refused("player_kind_known", lambda: Player.objects.create(username="x", kind="ghost"))


@pytest.mark.parametrize("fields", [{"kind": "computer"}, {"kind": "guest", "bot": "club"}])
def test_computers_and_only_computers_have_a_bot(fields: dict[str, str]) -> None:
    refused("player_bot_is_computer", lambda: Player.objects.create(username="x", **fields))


def test_a_bot_has_one_player_per_version() -> None:
    def make(username: str, version: str) -> Player:
        return Player.objects.create(
            username=username, kind="computer", bot="club", bot_version=version
        )

    make("a", "1")
    make("b", "2")
    refused("bot", lambda: make("c", "2"))


def test_a_seat_exists_once_per_match() -> None:
    match = a_match()
    Seat.objects.create(match=match, seat=0)
    refused("seat", lambda: Seat.objects.create(match=match, seat=0))


def test_a_person_has_one_seat_per_match_and_a_computer_may_have_two() -> None:
    match, ann = a_match(), person()
    Seat.objects.create(match=match, seat=0, player=ann)
    refused("seat", lambda: Seat.objects.create(match=match, seat=1, player=ann))
    Seat.objects.create(match=match, seat=1, player=ann, computer=True)
    Seat.objects.create(match=match, seat=2, player=ann, computer=True)


def test_several_empty_seats_are_allowed() -> None:
    match = a_match()
    Seat.objects.create(match=match, seat=0)
    Seat.objects.create(match=match, seat=1)
    assert match.seats.count() == 2


def test_there_are_at_most_three_seats() -> None:
    refused("seat_number", lambda: Seat.objects.create(match=a_match(), seat=3))


def test_a_log_has_one_move_per_sequence_number() -> None:
    match = a_match()
    Move.objects.create(match=match, sequence=0, text="cut 5H TD")
    refused("sequence", lambda: Move.objects.create(match=match, sequence=0, text="cut 5H TD"))
    Move.objects.create(match=a_match(), sequence=0, text="cut 5H TD")


def test_the_log_has_no_indexes_but_its_keys() -> None:
    """Every further index would be written with every move."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Move._meta.db_table)
    indexed = {
        tuple(entry["columns"]) for entry in found.values() if entry["index"] or entry["unique"]
    }
    assert indexed <= {("id",), ("match_id", "sequence")}


def test_a_hand_is_summarized_once() -> None:
    match = a_match()
    hand = Hand.objects.create(match=match, game=0, number=0, dealer=1)
    refused("game", lambda: Hand.objects.create(match=match, game=0, number=0, dealer=0))
    seat = Seat.objects.create(match=match, seat=0)

    def part() -> HandSeat:
        return HandSeat.objects.create(
            hand=hand, seat=seat, is_dealer=False, dealt="", score_before=0, score_after=2
        )

    part()
    refused("hand", part)


def test_an_unknown_status_is_refused() -> None:
    refused("match_status_known", lambda: Match.objects.create(ruleset={}, status="lost"))


def test_only_a_finished_match_has_a_winner() -> None:
    refused("match_winner_when_finished", lambda: Match.objects.create(ruleset={}, winner=0))
    Match.objects.create(ruleset={}, winner=0, status="finished")


def test_a_player_with_matches_cannot_be_removed_by_accident() -> None:
    ann = person()
    Seat.objects.create(match=a_match(), seat=0, player=ann)
    with pytest.raises(IntegrityError):
        ann.delete()


def test_a_page_of_a_players_matches_uses_an_index() -> None:
    ann = person()
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # It prefers to read and sort a table as small as this one.
            for method in ("seqscan", "bitmapscan", "sort"):
                cursor.execute(f"SET LOCAL enable_{method} = off")
        plan = Seat.objects.filter(player=ann).order_by("-match_id")[:20].explain()
    assert "seat_of_player" in plan
    assert "TEMP B-TREE" not in plan
    assert "Sort" not in plan


def test_ids_are_random_and_unambiguous() -> None:
    made = {public_id() for _ in range(1000)} | {invite_token() for _ in range(1000)}
    assert len(made) == 2000
    assert {len(one) for one in made} == {10, 16}
    assert set("".join(made)) == set(ALPHABET)
    assert not set(ALPHABET) & set("01lIOaeiou")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="asks SQLite for its settings")
def test_sqlite_is_configured_to_lose_nothing() -> None:
    with connection.cursor() as cursor:
        pragmas = [
            cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert pragmas == ["wal", 2, 1]
    assert cast(Any, connection).transaction_mode == "IMMEDIATE"


def test_constraints_are_uniquely_named() -> None:
    """The database has each under its name; `unique_together` would give it a made-up one."""
    names: list[str] = []
    for app in ("games", "ratings"):
        for model in apps.get_app_config(app).get_models():
            declared = {constraint.name for constraint in model._meta.constraints}
            with connection.cursor() as cursor:
                found = connection.introspection.get_constraints(cursor, model._meta.db_table)
            assert declared <= found.keys(), model
            assert not model._meta.unique_together, model
            names += declared
    assert len(names) == len(set(names)) >= 40
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)+", name) for name in names)


class TestDatabaseAddress:
    def parse(self, url: str) -> dict[str, object]:
        return env.database(url, base=ROOT, pool_size=5)

    def test_a_file_in_the_project(self) -> None:
        assert self.parse("sqlite:///db.sqlite3")["NAME"] == str(ROOT / "db.sqlite3")

    def test_a_file_elsewhere(self) -> None:
        assert self.parse("sqlite:////var/lib/x.sqlite3")["NAME"] == "/var/lib/x.sqlite3"

    def test_postgresql(self) -> None:
        found = self.parse("postgresql://ann:s%40fe@db.example:5433/crib?sslmode=require")
        assert found["ENGINE"] == "cribbage_site.postgresql"
        wanted = {
            "NAME": "crib",
            "USER": "ann",
            "PASSWORD": "s@fe",
            "HOST": "db.example",
            "PORT": "5433",
        }
        assert {key: found[key] for key in wanted} == wanted
        assert found["OPTIONS"] == {
            **env.HALF_OPEN,
            "sslmode": "require",
            "pool": {
                "min_size": 1,
                "max_size": 5,
                "timeout": 10,
                "reconnect_timeout": 10,
                "connection_class": PooledConnection,
            },
        }

    def test_a_socket(self) -> None:
        assert self.parse("postgres:///crib?host=/run/postgresql")["HOST"] == "/run/postgresql"

    @pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "crib", ""])
    def test_anything_else_is_refused(self, url: str) -> None:
        with pytest.raises(ImproperlyConfigured):
            self.parse(url)

    @pytest.mark.parametrize(
        ("url", "said"),
        [
            ("postgresql://ann:s3cret@db:port/crib", "a port is a number"),
            ("postgresql://ann:s3/cret@db/crib", "in a password"),
            ("postgresql://ann:s3[cret@db/crib", "in a password"),
            ("postgresql://ann:s3cret@db", "names no database"),
        ],
    )
    def test_a_malformed_one_is_refused_with_advice_and_without_its_password(
        self, url: str, said: str
    ) -> None:
        with pytest.raises(ImproperlyConfigured, match=said) as error:
            self.parse(url)
        assert "cret" not in str(error.value)

    def test_a_password_is_not_repeated_in_the_error(self) -> None:
        with pytest.raises(ImproperlyConfigured) as error:
            self.parse("mysql://ann:s3cret@x/y")
        assert "s3cret" not in str(error.value)


@pytest.mark.parametrize("sender", ["Ann, Bob <a@b.org>", "a@b.org, c@d.org", "Ann", "a@"])
def test_a_sender_with_whom_no_mail_can_be_sent_is_refused_at_the_start(
    sender: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEFAULT_FROM_EMAIL", '"Ann, Zoë" <a@b.org>')
    assert runpy.run_path(SETTINGS)["DEFAULT_FROM_EMAIL"] == '"Ann, Zoë" <a@b.org>'
    monkeypatch.setenv("DEFAULT_FROM_EMAIL", sender)
    with pytest.raises(ImproperlyConfigured, match=r"DEFAULT_FROM_EMAIL.*not a mail address"):
        runpy.run_path(SETTINGS)


@pytest.mark.parametrize("seconds", ["0", "-1", "32768"])
def test_a_ranked_clock_that_matches_cannot_store_is_refused_at_the_start(
    seconds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RANKED_CLOCK_SECONDS", seconds)
    with pytest.raises(ImproperlyConfigured, match=r"RANKED_CLOCK_SECONDS.*set 1 to 32767"):
        runpy.run_path(SETTINGS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TIME_ZONE", "Europe/Atlantis"), ("LOG_LEVEL", "loud"), ("EMAIL_TIMEOUT", "0"),
        ("JOB_LEASE_SECONDS", "0"), ("GUESTS_PER_HOUR", "-1"), ("DATABASE_POOL", "-1"),
        ("SOCKET_RATE", "0"), ("EMAIL_PORT", "99999"), ("METRICS_ALLOW", "127.0.0.1,everyone"),
        ("REDIS_URL", "localhost:6379"), ("SITE_URL", "cribbage.example"),
        ("SENTRY_DSN", "https://sentry.example"),
    ],
)  # fmt: skip
def test_a_setting_with_which_something_fails_later_is_refused_at_the_start(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=name):
        runpy.run_path(SETTINGS)


def test_mail_is_sent_by_one_kind_of_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMAIL_USE_SSL", "1")
    found = runpy.run_path(SETTINGS)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (False, True)
    monkeypatch.setenv("EMAIL_USE_TLS", "1")
    with pytest.raises(ImproperlyConfigured, match="EMAIL_USE_TLS and EMAIL_USE_SSL"):
        runpy.run_path(SETTINGS)


def test_what_people_write_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "info")
    monkeypatch.setenv("METRICS_ALLOW", "10.1.2.3/8, ::1")
    found = runpy.run_path(SETTINGS)
    assert found["LOGGING"]["root"]["level"] == "INFO"
    assert found["METRICS_ALLOW"] == ["10.0.0.0/8", "::1/128"]


def test_a_command_answers_a_wrong_setting_with_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor"],
        cwd=ROOT, check=False, capture_output=True, text=True,
        env={**os.environ, "TIME_ZONE": "Europe/Atlantis"},
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("manage.py: TIME_ZONE='Europe/Atlantis' is not a time zone")
    assert done.stderr.count("\n") == 1


def test_a_command_answers_a_database_that_is_not_there_with_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_matches"],
        cwd=ROOT, check=False, capture_output=True, text=True,
        env={**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/none/site.sqlite3"},
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("manage.py: the database: unable to open database file")
    assert done.stderr.count("\n") == 1


@pytest.mark.servers
@pytest.mark.slow
def test_a_command_answers_a_postgresql_database_without_tables_with_one_line(
    postgres: Postgres,
) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_matches"],
        cwd=ROOT, check=False, capture_output=True, text=True,
        env={**os.environ, "DATABASE_URL": postgres.create_database(f"bare_{os.getpid()}")},
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith('manage.py: the database: relation "games_match" does not exist')
    assert done.stderr.count("\n") == 1


def test_the_longest_ranked_clock_is_the_longest_that_postgresql_stores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind = Match._meta.get_field("clock").get_internal_type()
    _least, most = BaseDatabaseOperations.integer_field_ranges[kind]
    monkeypatch.setenv("RANKED_CLOCK_SECONDS", str(most))
    assert runpy.run_path(SETTINGS)["RANKED_CLOCK"] == most


def test_the_migrations_run_on_postgresql(postgres_url: str) -> None:
    """The test database has been migrated, and no operation is left."""
    assert "No planned migration operations." in manage(postgres_url, "migrate", "--plan")
