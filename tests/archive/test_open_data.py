"""The monthly files of open data: what is in them, who is named, and when they are rewritten."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import zstandard
from django.test import Client, override_settings
from django.utils import timezone, translation
from django_tasks_db.models import DBTaskResult

from games.archive import open_data
from games.archive.explorer import filing
from games.archive.record_files import import_record
from games.engine.record import read_record
from games.jobs.worker import work_off
from games.models import Match, OpenDataFile, Player, PublicMatch
from games.people.accounts import merge_guest, rename
from games.safety.erasure import erase
from tests.support.people import make_computer_match, make_match
from tests.support.played import play_on

pytestmark = pytest.mark.django_db

MONTH = date(2026, 10, 1)
NUMBER = open_data.number_of(MONTH)
WITHIN = datetime(2026, 10, 31, 23, 59, tzinfo=UTC)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """Keep the files in a folder of the test's own."""
    storages = settings.STORAGES | {
        "open_data": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": str(tmp_path)},
        }
    }
    with override_settings(STORAGES=storages):
        yield tmp_path


def public(match: Match | None = None, since: datetime = WITHIN, seed: int = 1) -> Match:
    """Return a match that is public since a time."""
    if match is None:
        match, _people = make_match()
    play_on(match.public_id, seed=seed)
    Match.objects.filter(pk=match.pk).update(watchable=True)
    PublicMatch.objects.create(match=match, since=since)
    return Match.objects.get(pk=match.pk)


def lines(text: bytes) -> list[dict[str, Any]]:
    with zstandard.ZstdDecompressor().stream_reader(text) as file:
        return [json.loads(line) for line in file.read().splitlines()]


def rewrites() -> list[int]:
    """Return the months whose files are to be written."""
    rows = DBTaskResult.objects.filter(task_path=open_data.write_month.module_path)
    return [row.args_kwargs["args"][0] for row in rows]


def written(folder: Path) -> list[dict[str, Any]]:
    """Write the month's file and return its lines."""
    open_data.write_month.func(NUMBER)
    return lines((folder / OpenDataFile.objects.get().stored).read_bytes())


def test_a_month_number_gives_back_its_month() -> None:
    for month in (date(2026, 1, 1), date(2026, 12, 1), MONTH):
        assert open_data.month_of(open_data.number_of(month)) == month


def test_every_line_is_a_game_that_can_be_imported_again(folder: Path) -> None:
    match = public()
    public(make_match(players=3)[0])
    records = written(folder)
    assert [record["match"] for record in records] == [1, 2]
    for record in records:
        assert read_record(record).difference is None
    again = import_record(data=records[0])
    assert again.seats.get(seat=0).score == match.seats.get(seat=0).score


def test_checksum_and_size_are_those_of_the_file(folder: Path) -> None:
    public()
    open_data.write_month.func(NUMBER)
    row = OpenDataFile.objects.get()
    text = (folder / row.stored).read_bytes()
    assert (row.sha256, row.size) == (hashlib.sha256(text).hexdigest(), len(text))
    assert (row.games, row.month) == (1, MONTH)


@pytest.mark.parametrize(
    ("since", "there"),
    [
        (datetime(2026, 9, 30, 23, 59, tzinfo=UTC), False),
        (datetime(2026, 10, 1, tzinfo=UTC), True),
        (WITHIN, True),
        (datetime(2026, 11, 1, tzinfo=UTC), False),
    ],
)
def test_a_match_is_in_the_month_in_which_it_became_public(
    folder: Path, since: datetime, there: bool
) -> None:
    public(since=since)
    assert bool(written(folder)) is there


def test_a_seat_that_a_computer_had_for_a_while_says_so(folder: Path) -> None:
    match = public()
    match.seats.filter(seat=0).update(substituted=True)
    (record,) = written(folder)
    assert [seat.get("left") for seat in record["seats"]] == [True, None]


def test_nothing_tells_who_played_or_when(folder: Path) -> None:
    match = public()
    (record,) = written(folder)
    assert record["seats"] == [{"kind": "person"}, {"kind": "person"}]
    text = json.dumps(record)
    assert match.public_id not in text
    for row in match.seats.select_related("player"):
        assert row.player is not None
        assert row.player.name not in text
        assert row.player.public_id not in text
    assert match.finished_at is not None
    assert record["day"] == match.finished_at.astimezone(UTC).date().isoformat()
    assert f"{match.finished_at:%H:%M}" not in text


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"kind": "person", "sharing": "named"}, True),
        ({"kind": "person", "sharing": "guest"}, False),
        ({"kind": "person", "sharing": "named", "private": True}, False),
        ({"kind": "guest", "sharing": "named"}, False),
    ],
)
def test_only_those_who_chose_it_are_named(
    folder: Path, fields: dict[str, Any], named: bool
) -> None:
    match = public()
    Match.objects.filter(pk=match.pk).update(listed=True)
    player = Player.objects.filter(seats__match=match).first()
    assert player is not None
    Player.objects.filter(pk=player.pk).update(name_skeleton="one of a kind", **fields)
    (record,) = written(folder)
    assert [seat.get("name") for seat in record["seats"]].count(player.name) == int(named)


def test_computers_are_named_with_their_version(folder: Path) -> None:
    match, _person = make_computer_match()
    public(match)
    (record,) = written(folder)
    computer = match.seats.get(computer=True).player
    assert computer is not None
    assert record["seats"][1] == {
        "kind": "computer",
        "name": computer.name,
        "version": computer.bot_version,
    }


def test_the_access_rules_are_asked_again_when_a_file_is_written(folder: Path) -> None:
    match = public()
    Match.objects.filter(pk=match.pk).update(watchable=False)
    assert written(folder) == []


def test_a_file_is_rewritten_and_the_old_one_deleted_when_a_match_goes(folder: Path) -> None:
    public(seed=2)
    match = public()
    assert len(written(folder)) == 2
    Match.objects.filter(pk=match.pk).update(watchable=False)
    filing.check([match.pk])
    waiting = DBTaskResult.objects.get(task_path=open_data.write_month.module_path)
    assert waiting.args_kwargs["args"] == [NUMBER]
    assert len(written(folder)) == 1
    assert [path.name for path in folder.iterdir()] == [OpenDataFile.objects.get().stored]


def test_a_match_that_goes_while_its_file_is_first_written_is_taken_out(folder: Path) -> None:
    match = public()
    Match.objects.filter(pk=match.pk).update(watchable=False)
    filing.check([match.pk])
    assert rewrites() == [NUMBER]


def test_a_match_that_goes_in_its_own_month_writes_no_file(folder: Path) -> None:
    match = public(since=timezone.now())
    Match.objects.filter(pk=match.pk).update(watchable=False)
    filing.check([match.pk])
    assert rewrites() == []


def test_the_name_of_a_deleted_or_renamed_player_has_the_file_rewritten(folder: Path) -> None:
    deleted, renamed = (row.player for row in public().seats.order_by("seat"))
    assert deleted is not None
    assert renamed is not None
    renamed.kind, renamed.name_skeleton = Player.Kind.PERSON, "one of a kind"
    renamed.save()
    changes: list[Callable[[], object]] = [
        partial(erase, player=deleted),
        partial(rename, player=renamed, name="Somebody Else"),
    ]
    for change in changes:
        DBTaskResult.objects.all().delete()
        change()
        work_off()
        row = OpenDataFile.objects.get()
        assert row.written_at > timezone.now() - timedelta(minutes=1)
        OpenDataFile.objects.all().delete()


def test_a_month_is_looked_at_once_however_many_matches_a_player_has_in_it(folder: Path) -> None:
    first = public()
    player = first.seats.get(seat=0).player
    assert player is not None
    match, _people = make_match()
    second = public(match)
    second.seats.filter(seat=0).update(player=player)
    with patch.object(filing, "rewrite_after") as looked:
        filing.check_player.func(player.pk)
    looked.assert_called_once_with(datetime(2026, 10, 1, tzinfo=UTC))


def test_a_name_that_changes_has_the_file_rewritten(folder: Path) -> None:
    match = public()
    written(folder)
    player = match.seats.get(seat=0).player
    assert player is not None
    filing.check_player.func(player.pk)
    assert DBTaskResult.objects.filter(task_path=open_data.write_month.module_path).exists()


def test_settings_that_change_often_have_the_file_rewritten_once_an_hour(folder: Path) -> None:
    match = public()
    written(folder)
    player = match.seats.get(seat=0).player
    assert player is not None
    filing.check_player.func(player.pk)
    row = OpenDataFile.objects.get()
    waiting = DBTaskResult.objects.get(task_path=open_data.write_month.module_path)
    assert waiting.run_after == row.written_at + open_data.APART
    long_ago = timezone.now() - 2 * open_data.APART
    OpenDataFile.objects.update(written_at=long_ago)
    filing.check_player.func(player.pk)
    waiting.refresh_from_db()
    assert waiting.run_after <= timezone.now()


def test_a_guest_who_logs_in_to_a_hidden_account_leaves_the_explorer_at_once(
    folder: Path,
) -> None:
    match = public()
    guest = match.seats.get(seat=0).player
    assert guest is not None
    hidden = Player.objects.create_user("Hedda", replays=Player.Replays.NOBODY)
    merge_guest(guest=guest, account=hidden)
    work_off()
    assert not PublicMatch.objects.exists()


def test_a_file_written_twice_is_the_same_file(folder: Path) -> None:
    public()
    written(folder)
    first = OpenDataFile.objects.get()
    written(folder)
    assert OpenDataFile.objects.get().sha256 == first.sha256
    assert len(list(folder.iterdir())) == 1


def test_months_that_are_over_are_due_once(folder: Path) -> None:
    public(since=datetime(2026, 9, 5, tzinfo=UTC))
    written(folder)
    open_data.write_due.func()
    rows = DBTaskResult.objects.filter(task_path=open_data.write_month.module_path)
    due = {row.args_kwargs["args"][0] for row in rows}
    assert NUMBER - 1 in due
    assert NUMBER not in due
    assert max(due) < open_data.number_of(datetime.now(tz=UTC).date())


def test_a_lost_file_is_not_found_and_written_again(client: Client, folder: Path) -> None:
    public()
    written(folder)
    (folder / OpenDataFile.objects.get().stored).unlink()
    assert client.get("/open-data/cribbage-2026-10.jsonl.zst").status_code == 404
    open_data.write_due.func()
    assert DBTaskResult.objects.filter(task_path=open_data.write_month.module_path).exists()


def test_the_page_lists_files_that_can_be_downloaded_and_checked(
    client: Client, folder: Path
) -> None:
    public()
    records = written(folder)
    page = client.get("/open-data/").content.decode()
    row = OpenDataFile.objects.get()
    assert row.sha256 in page
    address = "/open-data/cribbage-2026-10.jsonl.zst"
    assert address in page
    answer = client.get(address)
    text = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert lines(text) == records
    assert (answer["Content-Length"], answer["Content-Type"]) == (str(row.size), "application/zstd")
    sums = client.get("/open-data/SHA256SUMS").content.decode()
    assert sums == f"{row.sha256}  cribbage-2026-10.jsonl.zst\n"


@pytest.mark.parametrize("deleted", ["before it is opened", "while it is sent"])
def test_a_file_that_is_replaced_meanwhile_is_sent_whole(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch, deleted: str
) -> None:
    """Otherwise the reader waits for an answer that never comes."""
    public()
    old = written(folder)
    public(seed=2)
    stored = OpenDataFile.objects.get().stored

    def replaced(*_: object, **__: object) -> OpenDataFile:
        monkeypatch.undo()
        row = OpenDataFile.objects.get()
        new.extend(written(folder))
        return row

    new: list[dict[str, Any]] = []
    if deleted == "before it is opened":
        monkeypatch.setattr("games.pages.archive.open_data.get_object_or_404", replaced)
    answer = client.get("/open-data/cribbage-2026-10.jsonl.zst")
    if not new:
        new.extend(written(folder))
    assert not (folder / stored).exists()
    sent = answer.getvalue()
    assert len(sent) == int(answer.headers["Content-Length"])
    assert lines(sent) == (new if deleted == "before it is opened" else old)


def test_months_are_written_as_each_language_writes_them(client: Client, folder: Path) -> None:
    public()
    written(folder)
    assert "<h2>October 2026</h2>" in client.get("/open-data/").content.decode()
    with translation.override("es"):
        page = client.get("/open-data/", headers={"accept-language": "es"}).content.decode()
    assert "<h2>octubre de 2026</h2>" in page


@pytest.mark.parametrize("name", ["2026-09", "2026-13", "0-0", "0-5", "12345-5", f"{10**20}-5"])
def test_a_month_without_a_file_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"/open-data/cribbage-{name}.jsonl.zst").status_code == 404


def test_without_files_the_page_says_when_there_will_be_one(client: Client) -> None:
    assert "No files yet" in client.get("/open-data/").content.decode()
