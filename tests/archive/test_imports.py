"""Imported games: uploaded files."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.archive.access import may_see
from games.archive.import_files import MAX_BYTES, MAX_GAMES, ImportProblem, read_file
from games.archive.matches import Filters, played
from games.archive.record_files import export_match
from games.live import messages
from games.live.match_state import MatchState
from games.log import match_meta, store
from games.log.verify import differences
from games.models import Match, Outcome, Player, Seat
from games.pages.archive import imports
from games.people.accounts import create_guest
from tests.support.people import make_match
from tests.support.played import play_on
from tests.support.written_games import sample

pytestmark = pytest.mark.django_db

SAMPLE = Path(__file__).parent.parent / "data" / "sample.jsonl"
LINES = SAMPLE.read_text().splitlines()


def upload(client: Client, content: str | bytes, **fields: str) -> Any:
    content = content.encode() if isinstance(content, str) else content
    file = SimpleUploadedFile("games.jsonl", content)
    return client.post("/matches/import/", {"file": file, **fields})


def paste(client: Client, text: str, **fields: str) -> Any:
    return client.post("/matches/import/", {"text": text, **fields})


def names_of(match: Match) -> list[str]:
    rows = match.seats.select_related("player").order_by("seat")
    return [row.shown_name for row in rows]


class TestFile:
    def test_an_imported_game_is_visible_to_its_importer_only(
        self, client: Client, player: Player
    ) -> None:
        answer = upload(client, LINES[0], me="1", name_0="Uncle Toby")
        match = Match.objects.prefetch_related("seats__player").get(imported=True)
        assert answer.headers["Location"] == f"/matches/{match.public_id}/"
        assert names_of(match) == ["Uncle Toby", "Margery"]
        assert (match.created_by, match.watchable, match.ranked) == (player, False, False)
        assert {row.kind for row in match.seats.all()} == {Seat.Kind.IMPORTED}
        assert not list(differences(match))
        assert [may_see(match, who) for who in (player, create_guest(), None)] == [
            True,
            False,
            False,
        ]
        for page in ("", "1.1/", "replay.json", "print/", "record.jsonl"):
            assert client.get(f"/matches/{match.public_id}/{page}").status_code == 200
            assert Client().get(f"/matches/{match.public_id}/{page}").status_code == 404

    def test_an_exported_game_can_be_imported_under_other_names(
        self, client: Client, player: Player
    ) -> None:
        source, (ann, bob) = make_match()
        play_on(source.public_id)
        line = json.dumps(export_match(match=source)[0])
        upload(client, line, name_0="Uncle Toby", name_1="Mrs Wadman")
        match = Match.objects.get(imported=True)
        assert names_of(match) == ["Uncle Toby", "Mrs Wadman"]
        assert not Seat.objects.filter(match=match, player__in=[ann, bob, player]).exists()
        assert export_match(match=match)[0]["hands"] == export_match(match=source)[0]["hands"]

    def test_an_imported_file_never_seats_existing_players(
        self, client: Client, player: Player
    ) -> None:
        victim = create_guest(name="Victim")
        record = json.loads(LINES[0])
        record["seats"] = [{"name": "Victim", "id": victim.public_id, "kind": "guest"}, {"name": 7}]
        upload(client, json.dumps(record))
        match = Match.objects.get(imported=True)
        assert not Seat.objects.filter(player=victim).exists()
        assert names_of(match) == ["Victim", "Seat 2"]

    def test_no_import_makes_a_player(self, client: Client, player: Player) -> None:
        games = (LINES * MAX_GAMES)[:MAX_GAMES]
        upload(client, "\n".join(games), name_0="Uncle Toby", name_1="Mrs Wadman")
        upload(client, LINES[0], name_0="Uncle Toby", name_1="Uncle Toby")
        assert Match.objects.filter(imported=True).count() == MAX_GAMES + 1
        assert list(Player.objects.all()) == [player]

    def test_names_are_shown_where_the_game_is(self, client: Client, player: Player) -> None:
        upload(client, LINES[0], me="1", name_0="Uncle Toby")
        match = Match.objects.get(imported=True)
        address = f"/matches/{match.public_id}/"
        for page in ("/matches/", "/matches/import/", address, f"{address}1.1/",
                     f"{address}print/", f"{address}replay.json", f"{address}review/"):  # fmt: skip
            assert "Uncle Toby" in client.get(page).content.decode(), page
        assert export_match(match=match)[0]["seats"] == [
            {"name": "Uncle Toby", "kind": None, "id": None},
            {"name": "Margery", "kind": "guest", "id": player.public_id},
        ]

    def test_staff_can_remove_an_entered_name(self, client: Client, player: Player) -> None:
        for line in LINES[:2]:
            upload(client, line, me="1", name_0="Uncle Toby")
        match, other = Match.objects.order_by("pk")
        client.force_login(Player.objects.create_superuser("Keeper"))
        assert "Uncle Toby" in client.get(f"/admin/games/match/{match.pk}/change/").content.decode()
        client.post("/admin/games/match/", {"action": "remove_names", "_selected_action": match.pk})
        assert names_of(match) == ["Seat 1", "Margery"]
        assert names_of(other) == ["Uncle Toby", "Margery"]

    def test_a_table_that_is_opened_shows_the_names(self, client: Client, player: Player) -> None:
        upload(client, LINES[0], me="1", name_0="Uncle Toby")
        meta = match_meta.load(pk=Match.objects.get().pk)
        assert meta is not None
        told = messages.table_common(
            MatchState(meta), seated=True, online=frozenset({1}), watchers=0, wanted={}
        )
        assert json.loads(told)["seats"][0] == {"seat": 0, "name": "Uncle Toby"}

    def test_a_resignation_elsewhere_is_no_claimed_win_and_has_no_rematch(
        self, client: Client, player: Player
    ) -> None:
        game = json.loads(LINES[0])
        kept = {name: game[name] for name in ("players", "target", "first_dealer")}
        record = {**kept, "hands": game["hands"][:1], "resigned": 0}
        upload(client, json.dumps(record), me="1", name_0="Uncle Toby")
        match = Match.objects.get()
        meta = match_meta.load(pk=match.pk)
        assert meta is not None
        opened = MatchState(meta)
        for entry in store.whole(match.pk):
            opened.apply_entry(entry)
        told = messages.table_common(
            opened, seated=True, online=frozenset({1}), watchers=0, wanted={}
        )
        data = json.loads(told)
        assert (opened.state.resigned, data["claimed"], data["rematch"]["possible"]) == (
            0,
            None,
            False,
        )

    def test_matches_are_found_by_the_name_of_a_player_elsewhere(
        self, client: Client, player: Player
    ) -> None:
        upload(client, LINES[0], me="1", name_0="Uncle Toby")
        upload(client, LINES[1], me="1", name_0="Mrs Wadman")
        toby, wadman = Match.objects.order_by("pk")
        found = played(player, Filters(name="toby"))
        assert [row.match for row in found] == [toby]
        assert not played(player, Filters(name="Margery")).exists(), "their own name"
        assert played(player, Filters(name="Mrs")).get().match == wadman

    def test_only_the_importer_has_an_outcome(self, client: Client, player: Player) -> None:
        upload(client, LINES[0], me="1", name_0="Uncle Toby")
        (outcome,) = Outcome.objects.all()
        assert (outcome.player, outcome.kind) == (player, Seat.Kind.IMPORTED)

    def test_several_games_are_imported_all_or_nothing(
        self, client: Client, player: Player
    ) -> None:
        assert upload(client, "\n".join(LINES[:3])).headers["Location"] == "/matches/import/"
        assert Match.objects.filter(imported=True, created_by=player).count() == 3
        page = client.get("/matches/import/").content.decode()
        assert "3 games imported." in page
        broken = json.loads(LINES[1])
        broken["hands"][0]["starter"] = broken["hands"][0]["dealt"][0][0]
        people = Player.objects.count()
        answer = upload(client, f"{LINES[0]}\n{json.dumps(broken)}")
        assert answer.status_code == 422
        assert (Match.objects.filter(imported=True).count(), Player.objects.count()) == (3, people)

    @pytest.mark.parametrize("signs", ["♣♦♥♠", "♧♢♡♤"])
    def test_suits_may_be_signs(self, client: Client, player: Player, signs: str) -> None:
        written = LINES[0]
        for suit, sign in zip("CDHS", signs, strict=True):
            written = re.sub(rf'"([A2-9TJQK]){suit}"', f'"\\1{sign}\ufe0e"', written)
        assert upload(client, LINES[0], name_1="Ann").status_code == 302
        assert upload(client, written).status_code == 302
        first, second = Match.objects.filter(imported=True).order_by("pk")
        assert [move.text for move in first.moves.all()] == [m.text for m in second.moves.all()]

    def test_all_imports_are_listed_with_their_scores(self, client: Client, player: Player) -> None:
        upload(client, "\n".join(LINES[:20]))
        upload(client, LINES[0], name_1="Ann Elsewhere")
        oldest, *_others, newest = Match.objects.filter(imported=True).order_by("pk")
        first = client.get("/matches/import/").content.decode()
        scores = [str(seat.score) for seat in newest.seats.order_by("seat")]
        assert f'</time> · <span class="num match-score">{" : ".join(scores)}</span>' in first
        assert oldest.public_id not in first
        assert 'href="?page=2"' in first
        assert oldest.public_id in client.get("/matches/import/?page=2").content.decode()
        for odd in ("0", "99", "x"):
            assert client.get("/matches/import/", {"page": odd}).status_code == 200

    def test_older_imports_lead_back_to_the_newest(
        self, client: Client, player: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(imports, "SHOWN_IMPORTS", 1)
        upload(client, "\n".join(LINES[:3]))
        newest = 'href="/matches/import/">Newest</a>'
        pages = [client.get(f"/matches/import/?page={n}").content.decode() for n in (1, 2, 3)]
        assert [newest in page for page in pages] == [False, False, True]

    def test_an_error_is_reported_with_line_hand_and_event(
        self, client: Client, player: Player
    ) -> None:
        record = json.loads(LINES[0])
        seat = record["hands"][1]["plays"][2][0]
        record["hands"][1]["plays"][2][:2] = [1 - seat, "5H"]
        answer = upload(client, f"\n{LINES[1]}\n{json.dumps(record)}")
        (error,) = answer.context["form"].non_field_errors()
        assert re.fullmatch(
            r"line 3, hand 2, card 3 of the play: "
            r"(Seat [12] can't play\. It's seat [12]'s turn\.|5H isn't in the hand: .+\.)",
            error,
        )
        assert 'class="form-error" role="alert"' in answer.content.decode()

    def test_a_wrong_final_score_is_reported(self, client: Client, player: Player) -> None:
        record = json.loads(LINES[0])
        record["final"] = [1, 2]
        (error,) = upload(client, json.dumps(record)).context["form"].non_field_errors()
        assert re.fullmatch(
            r"line 1, end of the game: "
            r"The final score is \[1, 2\]; the cards make it \[\d+, \d+\]\.",
            error,
        )

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"", "empty"),
            (b"\n\n", "No games found."),
            (b"[]", "No games found."),
            (b"\xff\xfe", "isn't text in UTF-8. Save it as UTF-8 and try again."),
            ("[1]".encode("utf-16-le"), "isn't text in UTF-8. Save it as UTF-8 and try again."),
            ("[1]".encode("utf-16-be"), "isn't text in UTF-8. Save it as UTF-8 and try again."),
            (b"{}\nnonsense", "line 2: Not valid JSON, at character 1."),
            (b"[" * 100_000, "line 1: This JSON is nested too deeply."),
            (b"7", "line 1: The record must be an object, not 7."),
            (b'{"players": [2]}', "line 1: "),
            (b'{"players": 2.0, "hands": []}', "line 1: "),
            (b"{}\n" * (MAX_GAMES + 1), f"That's more than {MAX_GAMES} games."),
            (b" " * (MAX_BYTES + 1), "more than 512 KB"),
        ],
        ids=range(13),
    )
    def test_an_invalid_file_is_refused(
        self, client: Client, player: Player, content: bytes, reason: str
    ) -> None:
        answer = upload(client, content)
        assert answer.status_code == 422
        errors = [text for texts in answer.context["form"].errors.values() for text in texts]
        assert reason in " ".join(errors)
        assert not Match.objects.exists()

    def test_impossible_times_are_refused(self, client: Client, player: Player) -> None:
        for time in ("0001-01-01T00:00:00+14:00", "2900-01-01T00:00:00Z", "yesterday"):
            record = {**json.loads(LINES[0]), "started_at": time}
            (error,) = upload(client, json.dumps(record)).context["form"].non_field_errors()
            assert "must be a time in the past, not '" in error

    def test_names_and_seats_are_checked(self, client: Client, player: Player) -> None:
        answer = upload(client, LINES[0], name_0="x")
        assert "2 to 20 characters" in answer.context["form"].errors["name_0"][0]
        answer = upload(client, LINES[0], me="2")
        assert "only two seats" in answer.context["form"].non_field_errors()[0]
        assert not Match.objects.exists()

    def test_imports_are_limited_per_hour(
        self, client: Client, player: Player, settings: Any
    ) -> None:
        settings.LIMITS = {**settings.LIMITS, "imports": (2, 3600)}
        statuses = [upload(client, LINES[0]).status_code for _ in range(3)]
        assert statuses == [302, 302, 429]

    def test_a_form_over_the_limit_is_kept_with_the_reason(
        self, client: Client, player: Player, settings: Any
    ) -> None:
        settings.LIMITS = {**settings.LIMITS, "imports": (1, 3600)}
        upload(client, LINES[0])
        form = {"record": LINES[1], "name_0": "Anneliese"}
        answer = client.post("/matches/enter/", form)
        assert answer.status_code == 429
        page = answer.content.decode()
        assert "You&#x27;re going too fast." in page and "Anneliese" in page
        assert answer.context["form"]["record"].value() == LINES[1]

    def test_a_name_that_is_not_allowed_here_is_told(self, client: Client, player: Player) -> None:
        record = {**json.loads(LINES[0]), "seats": [{"name": "x"}, {"name": "Anneliese"}]}
        record |= {"players": 2}
        where = upload(client, json.dumps(record))["Location"]
        page = client.get(where).content.decode()
        assert "Not allowed as a name here: &#x27;x&#x27;." in page and "Seat 1" in page
        where = upload(client, json.dumps(record), name_0="Ruth")["Location"]
        assert "Not allowed" not in client.get(where).content.decode()

    @pytest.mark.parametrize("seats", [2, True, "Ann, Bea", {"name": "Ann"}, [2, None]])
    def test_seats_that_are_no_list_of_players_are_ignored(
        self, client: Client, player: Player, seats: object
    ) -> None:
        where = upload(client, json.dumps({**json.loads(LINES[0]), "seats": seats}))["Location"]
        assert client.get(where).status_code == 200
        assert names_of(Match.objects.get()) == ["Seat 1", "Seat 2"]

    def test_every_line_of_the_sample_can_be_read(self) -> None:
        assert [record.line for record in read_file(SAMPLE.read_bytes())] == list(
            range(1, len(LINES) + 1)
        )
        with pytest.raises(ImportProblem, match="empty"):
            read_file(b"  ")


class TestPasted:
    def test_pasted_games_are_imported_like_a_file(self, client: Client, player: Player) -> None:
        answer = paste(client, LINES[0], me="1", name_0="Uncle Toby")
        match = Match.objects.get(imported=True)
        assert answer.headers["Location"] == f"/matches/{match.public_id}/"
        assert names_of(match) == ["Uncle Toby", "Margery"]
        assert paste(client, "\r\n".join(LINES[1:3])).headers["Location"] == "/matches/import/"
        assert Match.objects.filter(imported=True).count() == 3

    @pytest.mark.parametrize("name", ["halscrib.txt", "cribbage_zero_1.pgn", "openspiel_two.txt"])
    def test_other_notations_can_be_pasted(self, client: Client, player: Player, name: str) -> None:
        assert paste(client, sample(name)).status_code == 302
        assert Match.objects.filter(imported=True).count() == 1

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("nonsense", "This isn't one of the notations that can be imported."),
            ("\r\n{}\r\nnonsense", "line 3: Not valid JSON, at character 1."),
            ("[]", "No games found."),
            (
                "{}\n" * (MAX_GAMES + 1),
                f"That's more than {MAX_GAMES} games. Import them in parts.",
            ),
            ("é" * (MAX_BYTES // 2 + 1), "That's more than 512 KB."),
        ],
        ids=range(5),
    )
    def test_an_invalid_text_is_kept_with_the_reason(
        self, client: Client, player: Player, text: str, reason: str
    ) -> None:
        answer = paste(client, text)
        assert answer.status_code == 422
        assert answer.context["form"].errors == {"text": [reason]}
        assert answer.context["form"]["text"].value() == text
        assert not Match.objects.exists()

    def test_line_ends_of_a_form_do_not_count_towards_the_limit(
        self, client: Client, player: Player
    ) -> None:
        form = paste(client, "[" + "\r\n" * (MAX_BYTES - 2) + "]").context["form"]
        assert form.errors == {"text": ["No games found."]}

    def test_either_a_file_or_a_text_is_asked_for(self, client: Client, player: Player) -> None:
        for text in ("", " \n"):
            form = paste(client, text).context["form"]
            assert form.non_field_errors() == ["Choose a file, or paste a game."]
        form = upload(client, LINES[0], text=LINES[1]).context["form"]
        assert form.non_field_errors() == ["Choose a file or paste a game, not both."]
        assert form["text"].value() == LINES[1]
        assert not Match.objects.exists()
