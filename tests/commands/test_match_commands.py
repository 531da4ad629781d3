"""`manage.py verify_matches`, `export_match` and `import_match`."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.models import Hand, HandSeat, Match, Move, Seat
from tests.support.written_games import sample

SAMPLE = Path(__file__).parent.parent / "data" / "sample.jsonl"

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=out)
    return out.getvalue()


@pytest.fixture
def imported() -> list[Match]:
    """Return all games of the sample, imported in order."""
    return from_file(SAMPLE)


@pytest.fixture
def three(tmp_path: Path) -> list[Match]:
    """Return the first three games of the sample, imported in order."""
    file = tmp_path / "three.jsonl"
    file.write_text("".join(SAMPLE.read_text().splitlines(keepends=True)[:3]))
    return from_file(file)


def from_file(file: Path) -> list[Match]:
    ids = run("import_match", str(file)).split()
    return [Match.objects.get(public_id=public_id) for public_id in ids]


def test_imported_games_are_exported_unchanged_and_can_be_reimported(
    imported: list[Match], tmp_path: Path
) -> None:
    """An imported record is exported with the same hands, and the export can be imported again."""
    records = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
    assert len(imported) == len(records)
    for match, record in zip(imported, records, strict=True):
        out = json.loads(run("export_match", match.public_id))
        for field in ("players", "target", "first_dealer", "winner", "final"):
            assert out.get(field) == record.get(field), field
        for mine, theirs in zip(out["hands"], record["hands"], strict=True):
            for field in ("dealer", "dealt", "crib_card", "discards", "starter"):
                assert mine[field] == theirs[field], field
            assert [play[:2] for play in mine["plays"]] == [play[:2] for play in theirs["plays"]]
        assert match.imported
        assert match.winner == record["winner"]
    file = tmp_path / "again.jsonl"
    first = json.loads(run("export_match", imported[0].public_id))
    file.write_text(json.dumps(first))
    second = json.loads(run("export_match", run("import_match", str(file)).strip()))
    assert first.pop("match") != second.pop("match")
    assert first == second, "who played, when, and the record"


def test_every_imported_match_passes_verify_matches(imported: list[Match]) -> None:
    assert f"{len(imported)} matches checked, 0 differ" in run("verify_matches")


def test_an_illegal_record_is_reported_and_nothing_is_stored(tmp_path: Path) -> None:
    """A file is imported all or nothing."""
    good, bad = SAMPLE.read_text().splitlines()[:2]
    record = json.loads(bad)
    record["hands"][0]["starter"] = record["hands"][0]["dealt"][0][0]
    file = tmp_path / "two.jsonl"
    file.write_text(f"{good}\n{json.dumps(record)}\n")
    with pytest.raises(CommandError, match=r"two.jsonl: line 2, hand 1") as refused:
        run("import_match", str(file))
    assert refused.value.returncode == 2
    assert not Match.objects.exists()


def test_a_name_that_is_not_allowed_is_refused(tmp_path: Path) -> None:
    record = json.loads(SAMPLE.read_text().splitlines()[0])
    record["seats"] = [{"name": "<script>"}, {"name": "Bob"}]
    file = tmp_path / "one.jsonl"
    file.write_text(json.dumps(record))
    with pytest.raises(CommandError, match=r"line 1: Seat 1 can.t be called .<script>"):
        run("import_match", str(file))


def test_an_id_that_postgresql_cannot_look_up_is_nobodys(tmp_path: Path) -> None:
    record = json.loads(SAMPLE.read_text().splitlines()[0])
    record["seats"] = [{"name": "Ann", "id": "a\0b"}, {"name": "Bob"}]
    file = tmp_path / "one.jsonl"
    file.write_text(json.dumps(record))
    run("import_match", str(file))
    assert [seat.name for seat in Seat.objects.order_by("seat")] == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("name", "seats"), [("halscrib.txt", 2), ("cribbage_zero_1.pgn", 2), ("openspiel_three.txt", 3)]
)
def test_other_notations_are_read(tmp_path: Path, name: str, seats: int) -> None:
    file = tmp_path / name
    file.write_text(sample(name))
    (match,) = from_file(file)
    assert match.imported
    assert match.seats.count() == seats


def test_a_list_of_records_and_more_games_than_the_site_takes_are_read(tmp_path: Path) -> None:
    records = [json.loads(line) for line in SAMPLE.read_text().splitlines()[:2]] * 11
    file = tmp_path / "list.json"
    file.write_text(json.dumps(records, indent=1))
    assert len(from_file(file)) == 22


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "No games found."),
        (b"nonsense", "This isn't one of the notations that can be imported."),
        ("[1]".encode("utf-16-le"), "The file isn't text in UTF-8."),
        (b"{}\n{", "line 2: Not valid JSON, at character 2."),
        (b"Deal 1: KC <2", "line 1, hand 1: '<2' marks missed points or a penalty."),
    ],
    ids=["empty", "unknown", "UTF-16", "JSON", "HALSCRIB"],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_line(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    file = tmp_path / "odd.txt"
    file.write_bytes(content)
    with pytest.raises(CommandError) as refused:
        run("import_match", str(file))
    assert str(refused.value).startswith(f"{file}: {reason}")
    assert refused.value.returncode == 2


def test_an_error_in_another_notation_names_the_line_of_the_hand(tmp_path: Path) -> None:
    file = tmp_path / "wrong.pgn"
    file.write_text(sample("cribbage_zero_2.pgn").replace("D2 5C 7S", "D2 5C 7H"))
    with pytest.raises(CommandError, match="line 15, hand 2, discard of seat 2: 7H isn't in"):
        run("import_match", str(file))


def test_an_unknown_match_is_refused() -> None:
    for command in ("export_match", "verify_matches"):
        with pytest.raises(CommandError, match="no such match: nothing"):
            run(command, "nothing")


def corrupt_status(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(status="playing", winner=None)


def corrupt_seat(match: Match) -> None:
    Seat.objects.filter(match=match, seat=0).update(score=5)


def corrupt_hand(match: Match) -> None:
    Hand.objects.filter(match=match, number=0).update(starter="")


def corrupt_hand_seat(match: Match) -> None:
    row = HandSeat.objects.filter(hand__match=match).first()
    assert row is not None
    HandSeat.objects.filter(pk=row.pk).update(pegging=row.pegging + 1)


def lose_hand(match: Match) -> None:
    Hand.objects.filter(match=match, number=1).delete()


def lose_move(match: Match) -> None:
    Move.objects.filter(match=match, sequence=3).delete()


def corrupt_move(match: Match) -> None:
    Move.objects.filter(match=match, sequence=3).update(text="1 play 5H")


@pytest.mark.parametrize(
    ("corrupt", "said"),
    [
        (corrupt_status, "status, winner and end"),
        (corrupt_seat, "seat 0: score is 5"),
        (corrupt_hand, "game 1, hand 1: starter is ''"),
        (corrupt_hand_seat, "pegging"),
        (lose_hand, "game 1, hand 2 has no summary"),
        (lose_move, "entry 3 is missing"),
        (corrupt_move, "entry 3, '1 play 5H', is not allowed"),
    ],
)
def test_any_corruption_is_found(three: list[Match], corrupt: object, said: str) -> None:
    """`verify_matches` names the match and what differs, and fails."""
    assert callable(corrupt)
    corrupt(three[0])
    out = StringIO()
    with pytest.raises(CommandError, match="do not match their logs"):
        call_command("verify_matches", stdout=out, stderr=out)
    assert f"{three[0].public_id}: " in out.getvalue()
    assert said in out.getvalue()
    assert "1 differ" in out.getvalue()
