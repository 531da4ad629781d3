"""The database itself refuses what must never be stored."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, connection, transaction

from cribbage_site import env
from games.ids import ALPHABET, invite_token, public_id
from games.models import Hand, HandSeat, Match, Move, Player, Seat
from tests.servers import ROOT, manage

pytestmark = pytest.mark.django_db


def a_match() -> Match:
    return Match.objects.create(ruleset={})


def refused(constraint: str, act: Callable[[], object]) -> None:
    """Expect `act` to break that constraint; SQLite names the columns of a plain unique key."""
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        act()
    assert constraint in str(error.value)


def person(name: str = "Ann") -> Player:
    return Player.objects.create_user(name)


def test_a_person_is_made_with_one_name() -> None:
    ann = person()
    assert (ann.name, ann.username, ann.kind, str(ann)) == ("Ann", "Ann", "person", "Ann")
    assert ann.is_person
    assert not ann.is_guest
    assert not ann.is_computer


def test_a_superuser_is_a_person_too() -> None:
    keeper = Player.objects.create_superuser("Keeper", password="x")
    assert keeper.is_superuser
    assert keeper.name == "Keeper"


def test_two_people_never_look_the_same() -> None:
    person("Bill")
    refused("name_skeleton", lambda: person("BiIl"))


def test_a_guest_may_look_like_a_person() -> None:
    person("Bill")
    Player.objects.create(username="guest-1", kind="guest", name="Bill", name_skeleton="blll")


def test_a_kind_that_is_none_is_refused() -> None:
    refused("player_kind_known", lambda: Player.objects.create(username="x", kind="ghost"))


@pytest.mark.parametrize("fields", [{"kind": "computer"}, {"kind": "guest", "bot": "club"}])
def test_a_computer_is_a_bot_and_nobody_else_is(fields: dict[str, str]) -> None:
    refused("player_bot_is_computer", lambda: Player.objects.create(username="x", **fields))


def test_a_bot_has_one_row_for_each_version() -> None:
    def make(username: str, version: str) -> Player:
        return Player.objects.create(
            username=username, kind="computer", bot="club", bot_version=version
        )

    make("a", "1")
    make("b", "2")
    refused("bot", lambda: make("c", "2"))


def test_a_seat_is_taken_once() -> None:
    match = a_match()
    Seat.objects.create(match=match, seat=0)
    refused("seat", lambda: Seat.objects.create(match=match, seat=0))


def test_a_person_sits_once_at_a_match_and_a_computer_may_sit_twice() -> None:
    match, ann = a_match(), person()
    Seat.objects.create(match=match, seat=0, player=ann)
    refused("seat", lambda: Seat.objects.create(match=match, seat=1, player=ann))
    Seat.objects.create(match=match, seat=1, player=ann, computer=True)
    Seat.objects.create(match=match, seat=2, player=ann, computer=True)


def test_empty_seats_do_not_count_as_one_player() -> None:
    match = a_match()
    Seat.objects.create(match=match, seat=0)
    Seat.objects.create(match=match, seat=1)
    assert match.seats.count() == 2


def test_there_are_three_seats_at_most() -> None:
    refused("seat_number", lambda: Seat.objects.create(match=a_match(), seat=3))


def test_a_log_has_one_move_at_each_place() -> None:
    match = a_match()
    Move.objects.create(match=match, sequence=0, text="cut 5H TD")
    refused("sequence", lambda: Move.objects.create(match=match, sequence=0, text="cut 5H TD"))
    Move.objects.create(match=a_match(), sequence=0, text="cut 5H TD")


def test_the_log_has_no_index_but_its_keys() -> None:
    """Each index would be written with every move."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Move._meta.db_table)
    indexed = {
        tuple(entry["columns"]) for entry in found.values() if entry["index"] or entry["unique"]
    }
    assert indexed <= {("id",), ("match_id", "sequence")}


def test_a_deal_is_summed_up_once() -> None:
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


def test_a_status_that_is_none_is_refused() -> None:
    refused("match_status_known", lambda: Match.objects.create(ruleset={}, status="lost"))


def test_only_a_finished_match_has_a_winner() -> None:
    refused("match_winner_when_finished", lambda: Match.objects.create(ruleset={}, winner=0))
    Match.objects.create(ruleset={}, winner=0, status="finished")


def test_a_player_with_matches_cannot_be_removed_by_accident() -> None:
    ann = person()
    Seat.objects.create(match=a_match(), seat=0, player=ann)
    with pytest.raises(IntegrityError):
        ann.delete()


def test_a_matches_page_reads_an_index() -> None:
    ann = person()
    plan = Seat.objects.filter(player=ann).order_by("-match_id")[:20].explain()
    assert "seat_of_player" in plan or "Index" in plan
    assert "TEMP B-TREE" not in plan


def test_ids_cannot_be_counted_or_guessed() -> None:
    made = {public_id() for _ in range(1000)} | {invite_token() for _ in range(1000)}
    assert len(made) == 2000
    assert {len(one) for one in made} == {10, 16}
    assert set("".join(made)) == set(ALPHABET)
    assert not set(ALPHABET) & set("01lIOaeiou")


def test_sqlite_is_set_up_to_lose_nothing() -> None:
    with connection.cursor() as cursor:
        pragmas = [
            cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert pragmas == ["wal", 2, 1]
    assert connection.transaction_mode == "IMMEDIATE"


def test_every_constraint_has_a_name_of_ours() -> None:
    names = [
        constraint.name
        for model in (Player, Match, Seat, Move, Hand, HandSeat)
        for constraint in model._meta.constraints
    ]
    assert len(names) == len(set(names)) >= 15


class TestDatabaseAddress:
    def parse(self, url: str) -> dict[str, object]:
        return env.database(url, base=ROOT, pool_size=5)

    def test_a_file_in_the_project(self) -> None:
        assert self.parse("sqlite:///db.sqlite3")["NAME"] == str(ROOT / "db.sqlite3")

    def test_a_file_elsewhere(self) -> None:
        assert self.parse("sqlite:////var/lib/x.sqlite3")["NAME"] == "/var/lib/x.sqlite3"

    def test_postgresql(self) -> None:
        found = self.parse("postgresql://ann:s%40fe@db.example:5433/crib?sslmode=require")
        assert found["ENGINE"] == "django.db.backends.postgresql"
        wanted = {
            "NAME": "crib",
            "USER": "ann",
            "PASSWORD": "s@fe",
            "HOST": "db.example",
            "PORT": "5433",
        }
        assert {key: found[key] for key in wanted} == wanted
        assert found["OPTIONS"] == {
            "sslmode": "require",
            "pool": {"min_size": 1, "max_size": 5, "timeout": 10},
        }

    def test_a_socket(self) -> None:
        assert self.parse("postgres:///crib?host=/run/postgresql")["HOST"] == "/run/postgresql"

    @pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "crib", ""])
    def test_anything_else_is_refused(self, url: str) -> None:
        with pytest.raises(ImproperlyConfigured):
            self.parse(url)

    def test_a_password_is_not_repeated_in_the_complaint(self) -> None:
        with pytest.raises(ImproperlyConfigured) as error:
            self.parse("mysql://ann:s3cret@x/y")
        assert "s3cret" not in str(error.value)


def test_the_migrations_run_on_postgresql(postgres_url: str) -> None:
    said = manage(postgres_url, "migrate", "--check", "-v", "1")
    assert "No planned migration operations" in said or said == ""
