"""The analysis board: answers, refusals, frame and picture, playing on, and links from matches."""

from __future__ import annotations

import re
from threading import Event, Thread
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from games.archive import replays
from games.bots.ladder import RATINGS
from games.engine import rules
from games.engine.cards import NAMES
from games.engine.state import Phase, Ruleset
from games.engine.view import view_for
from games.learn import analysis_access, analysis_board
from games.learn.analysis_answers import Answers, answer_to, answers
from games.live import jit_warmup
from games.log import results
from games.models import Match, Seat
from games.people.accounts import create_guest
from games.tables.forfeit import leave_for_good
from ratings.matchmaking import linked_accounts
from tests.support.people import as_, make_match
from tests.support.played import play_on
from tests.support.reviewed import played_match

pytestmark = pytest.mark.django_db

MEANWHILE = 0.3
"""Seconds within which a wait that does not wait is over: it takes microseconds."""

THROW = {"cards": "4H 5H 6S JC 9D KS", "dealer": "1", "own": "45", "other": "52"}
PLAY = {"cards": "3C 7H 8H 8S", "dealer": "1", "own": "62", "other": "58", "starter": "QD",
        "plays": "8H 7D"}  # fmt: skip
THREE = {"cards": "5D 5S 7C JH QS", "players": "3", "dealer": "2", "own": "20"}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for answers: the first one may have to be compiled."""
    found = Answers(answer_to)

    def ask(position: analysis_board.Position, **more: Any) -> Any:
        return found.ask(position, **{**more, "patience": 240})

    monkeypatch.setattr(answers, "ask", ask)


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.parametrize(("data", "number"), [(THROW, 15), (PLAY, 3), (THREE, 5)])
def test_every_choice_is_ranked_with_its_value_and_reason(
    client: Client, data: dict[str, str], number: int
) -> None:
    answer = client.get("/analysis/", data)
    assert answer.status_code == 200
    choices = answer.context["choices"]
    assert len(choices) == number
    assert all(line.reasons and line.range and line.spark for line in choices)
    assert choices[0].lost == "" and choices[0].bar == 0
    assert choices[-1].bar == 100
    assert [line.bar for line in choices] == sorted(line.bar for line in choices)


@pytest.mark.parametrize(("data", "players"), [(THROW, 2), (THREE, 3)])
def test_computers_have_the_rating_for_the_number_of_players(
    client: Client, monkeypatch: pytest.MonkeyPatch, data: dict[str, str], players: int
) -> None:
    monkeypatch.setattr(answers, "ask", lambda *_, **__: None)  # the answer is pending
    levels = client.get("/analysis/", data).context["levels"]
    assert [int(choice.split()[-1]) for _, choice in levels] == [
        rating.elo for rating in RATINGS[players].values()
    ]


def test_in_french_fewer_than_two_points_are_singular(client: Client) -> None:
    page = text_of(client.get("/analysis/", THROW, headers={"Accept-Language": "fr"}))
    nouns = re.findall(r"([0-9]+),[0-9](?:</strong> <span>| )(points?)\b", page)
    assert {noun for whole, noun in nouns if int(whole) < 2} == {"point"}
    assert {noun for whole, noun in nouns if int(whole) >= 2} == {"points"}


@pytest.mark.parametrize(
    ("language", "played", "count"),
    [
        ("en", "Played so far", "Count"),
        ("de", "Schon gespielt", "Summe"),
        ("fr", "Déjà jouées", "Compte"),
        ("es", "Ya jugadas", "Cuenta"),
    ],
)
def test_cards_played_and_their_count_are_named_as_at_the_table(
    client: Client, language: str, played: str, count: str
) -> None:
    text = client.get("/analysis/", PLAY, headers={"Accept-Language": language}).content.decode()
    facts = text.split('<dl class="analysis-facts">')[1].split("</dl>")[0]
    assert re.findall("<dt>(.*?)</dt>", facts)[1:3] == [played, count]


def test_the_address_of_an_answer_leads_to_it_again(client: Client) -> None:
    first = client.get("/analysis/", PLAY)
    again = client.get(first.context["share"])
    assert again.context["position"] == first.context["position"]
    assert again.context["choices"] == first.context["choices"]


def test_a_choice_leads_to_the_position_after_it(client: Client) -> None:
    best = client.get("/analysis/", THROW).context["choices"][0]
    after = client.get(best.after)
    assert after.status_code == 200
    assert "Add the starter." in after.context["problem"]
    played = client.get(client.get("/analysis/", PLAY).context["choices"][0].after)
    assert "is next" in played.context["problem"]


def test_a_card_that_scores_is_in_the_score_of_the_position_after_it(client: Client) -> None:
    def after(**data: str) -> dict[str, str]:
        lines = client.get("/analysis/", {**PLAY, **data}).context["choices"]
        return {line.cards: line.after for line in lines}

    assert "own=64&" in after()["7H"]  # a pair
    assert "own=62&" in after()["3C"]
    assert after(own="119")["7H"] == ""  # it wins


def test_after_the_last_card_of_the_hand_there_is_nothing_to_analyse(client: Client) -> None:
    last = {**PLAY, "dealer": "0", "plays": "7D 8H 9D 7H 9C 8S 9S"}
    lines = client.get("/analysis/", last).context["choices"]
    assert [(line.cards, line.after) for line in lines] == [("3C", "")]


@pytest.mark.parametrize(
    ("data", "scores"),
    [
        ({"plays": "8H 8D"}, (62, 58)),
        ({"plays": "8H 8D", "own": "", "other": "1"}, (0, 2)),
        ({"dealer": "0", "starter": "JD", "plays": "7D", "own": "1"}, (2, 58)),
        ({"plays": "8H 7D 7H 8D go", "own": "1", "other": "1"}, (2, 3)),
    ],
)
def test_scores_hold_the_points_of_this_hand_on_the_board_the_link_and_the_table(
    client: Client, data: dict[str, str], scores: tuple[int, ...]
) -> None:
    answer = client.get("/analysis/", {**PLAY, **data})
    assert answer.context["position"].scores == scores
    raised = "Scores raised to the points of this hand." in text_of(answer)
    assert raised == (scores != (62, 58))
    assert "raised" not in text_of(client.get(answer.context["share"]))
    client.post("/analysis/play/", {**answer.context["address"], "level": "poppy"})
    assert replays.load(Match.objects.get()).steps[-1].state.scores == scores


def test_an_impossible_position_is_refused_and_an_unfinished_one_is_not(client: Client) -> None:
    refused = client.get("/analysis/", {**THROW, "cards": "4H 5H 6S JC 9D KS 2C"})
    assert refused.status_code == 422
    assert "dealt 6 cards, not 7" in text_of(refused)
    unfinished = client.get("/analysis/", {**THROW, "cards": "4H 5H"})
    assert unfinished.status_code == 200
    assert "Pick 4 more cards." in text_of(unfinished)
    assert client.get("/analysis/").status_code == 200


def test_a_cold_engine_gets_ready_and_the_page_asks_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "ask", lambda *_args, **_more: None)
    answer = client.get("/analysis/", THROW)
    assert answer.status_code == 200
    page = text_of(answer)
    assert "Getting ready." in page
    assert re.search(r"<section[^>]* data-pending", page)
    assert re.search(r"<noscript>.*Refresh", page)


def test_the_engine_waits_for_a_warm_up_that_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    started, ready, over = Event(), Event(), Event()
    monkeypatch.setattr(jit_warmup, "_started", started)
    monkeypatch.setattr(jit_warmup, "_over", ready)
    jit_warmup.wait()  # none has started
    started.set()

    def wait() -> None:
        jit_warmup.wait()
        over.set()

    Thread(target=wait, daemon=True).start()
    assert not over.wait(MEANWHILE)
    ready.set()
    assert over.wait(60)


def test_ones_own_running_hand_is_refused(client: Client) -> None:
    match, people = make_match(target=61)
    play_on(match.public_id, seed=4, moves=2)
    position = _running(match, 0)
    for person, status in ((people[0], 422), (people[1], 200)):
        answer = as_(person).get("/analysis/", position.address())
        assert answer.status_code == status
    refused = as_(people[0])
    text = text_of(refused.get("/analysis/", position.address()))
    assert "These cards are too close to a hand you&#x27;re playing now." in text
    refused.post("/analysis/play/", {**position.address(), "level": "poppy"})
    assert not Match.objects.exclude(pk=match.pk).exists()


def test_a_hand_that_a_computer_plays_for_good_is_nobodys() -> None:
    """A refusal would tell a player who left a ranked game which cards it holds now."""
    match, people = make_match(target=61)
    Match.objects.filter(pk=match.pk).update(ranked=True)
    play_on(match.public_id, seed=4, moves=2)
    address = _running(match, 0).address()
    assert as_(people[0]).get("/analysis/", address).status_code == 422
    assert leave_for_good(match=match.pk, seat=0)
    assert as_(people[0]).get("/analysis/", address).status_code == 200


def test_the_helper_refuses_it_too_and_the_reader_is_known_by_their_browser() -> None:
    match, people = make_match(target=61)
    play_on(match.public_id, seed=4, moves=2)
    cards = " ".join(NAMES[card] for card in _running(match, 0).cards)
    helper = {"cards": cards, "role": "dealer"}
    addresses = ("/discards/", "/api/v1/tools/discards")
    alt, browser = create_guest(), Client()
    browser.cookies["device"] = "browser-of-both"

    def statuses(who: Client) -> list[int]:
        return [who.get(path, helper, follow=True).status_code for path in addresses]

    assert statuses(as_(people[0])) == [422, 422]
    assert statuses(as_(alt)) == statuses(browser) == [200, 200]
    linked_accounts.record_device(player=people[0], token="browser-of-both")
    assert statuses(browser) == [200, 200]  # not a ranked match
    Match.objects.filter(pk=match.pk).update(ranked=True)
    assert statuses(browser) == [422, 422]
    assert statuses(as_(alt)) == [200, 200]
    linked_accounts.link(one=people[0], other=alt)
    assert statuses(as_(alt)) == [422, 422]
    linked_accounts.record_device(player=people[1], token="browser-of-both")
    assert statuses(browser) == [200, 200]  # both opponents used it: no hint about either hand


def _running(match: Match, seat: int) -> analysis_board.Position:
    found = replays.load(match)
    return analysis_access.position_of(view_for(found.state(len(found.moves)), seat))


def test_a_frame_may_stand_on_any_site_and_nothing_else_may(client: Client) -> None:
    frame = client.get("/analysis/embed/", PLAY)
    assert frame.status_code == 200
    assert "frame-ancestors *" in frame.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in frame.headers
    assert "<form" not in frame.content.decode()
    assert frame.cookies == {}
    page = client.get("/analysis/", PLAY)
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("data", [THROW, PLAY, THREE])
def test_the_picture_shows_the_cards_without_another_file(
    client: Client, data: dict[str, str]
) -> None:
    answer = client.get("/analysis/picture.svg", data)
    assert answer.headers["Content-Type"] == "image/svg+xml"
    picture = answer.content.decode()
    assert not re.search(r"href|style=|<script|http(?!://www.w3.org)", picture)
    held = analysis_board.view_of(analysis_board.read(data)).cards
    assert picture.count("<svg x=") >= len(held)


@pytest.mark.parametrize("page", ["embed/", "picture.svg"])
def test_a_link_with_an_impossible_position_is_not_found(client: Client, page: str) -> None:
    assert client.get(f"/analysis/{page}", {"cards": "4H 4H"}).status_code == 404


@pytest.mark.parametrize("data", [THROW, PLAY, THREE])
def test_a_position_is_played_on_in_a_private_unrated_match(
    client: Client, data: dict[str, str]
) -> None:
    answer = client.post("/analysis/play/", {**data, "level": "poppy"})
    match = Match.objects.get()
    assert answer.headers["Location"] == f"/t/{match.public_id}/"
    position = analysis_board.read(data)
    state = replays.load(match).steps[-1].state
    assert state.scores == position.scores
    assert 0 in rules.waiting(state)
    assert analysis_access.position_of(view_for(state, 0)).cards == position.cards
    assert match.is_branch and not match.swappable and match.hints
    assert as_(create_guest()).get(f"/matches/{match.public_id}/").status_code == 404
    assert client.get(f"/t/{match.public_id}/").status_code == 200
    again = client.get("/analysis/", data)
    assert again.status_code == 200  # one's own game, but with hints


def test_a_double_click_begins_one_match(client: Client) -> None:
    client.force_login(create_guest())

    def begun(**data: str) -> str:
        return client.post("/analysis/play/", {**PLAY, "level": "poppy", **data})["Location"]

    first, again = begun(), begun()
    assert first == again
    others = [begun(level="nora"), begun(plays="8H QC"), begun(own="61")]
    assert len({first, *others}) == Match.objects.count() == 4
    newest = Match.objects.latest("pk")
    newest.moves.create(sequence=newest.moves.count(), seat=0, text="0 resign")
    assert begun(own="61") not in others


def test_a_match_from_the_board_is_filed_as_a_branch(client: Client) -> None:
    client.post("/analysis/play/", {**THROW, "level": "poppy"})
    match = Match.objects.get()
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)
    results.file_seats(match=match.pk, at=match.created_at)
    assert set(Seat.objects.values_list("kind", flat=True)) == {Seat.Kind.BRANCH}
    page = text_of(client.get(f"/matches/{match.public_id}/"))
    assert "Played on from the analysis board" in page


def test_a_wrong_level_or_position_makes_no_match(client: Client) -> None:
    client.post("/analysis/play/", {**THROW, "level": "nobody"})
    client.post("/analysis/play/", {**THROW, "cards": "4H", "level": "poppy"})
    assert not Match.objects.exists()


def test_a_position_that_is_refused_leads_back_to_it(client: Client) -> None:
    wrong = {**PLAY, "plays": "8H AD AD"}
    answer = client.post("/analysis/play/", {**wrong, "level": "poppy"})
    assert answer.status_code == 302
    shown = client.get(answer["Location"])
    assert shown.status_code == 422
    assert {name: shown.context["values"][name] for name in wrong if name != "dealer"} == {
        name: value for name, value in wrong.items() if name != "dealer"
    }
    assert shown.context["dealer"] == "1"


def test_each_step_of_a_replay_opens_the_decision_as_its_seat_knew_it(client: Client) -> None:
    guest = create_guest(name="Margery")
    client.force_login(guest)
    match = cast(Match, played_match(guest))
    found = replays.load(match)
    met = 0
    for step in range(1, len(found.moves) + 1):
        answer = client.get(f"/matches/{match.public_id}/analysis/{step}/?seat=0")
        assert answer.status_code == 302, step
        told = parse_qs(urlsplit(answer.headers["Location"]).query)
        state = found.state(step)
        position = analysis_board.read({name: value[0] for name, value in told.items()})
        if state.phase is not Phase.PLAY:
            continue
        (seat,) = rules.waiting(state)
        assert position == analysis_access.position_of(view_for(state, seat))
        met += 1
    assert met > 20


def test_a_decision_is_shown_to_those_who_may_see_the_match(client: Client) -> None:
    match = cast(Match, played_match(create_guest()))
    assert client.get(f"/matches/{match.public_id}/analysis/3/").status_code == 404
    assert client.get("/matches/nothing/analysis/3/").status_code == 404


def test_scores_of_a_ruleset_are_stored_and_checked() -> None:
    ruleset = Ruleset(first_dealer=0, scores=(3, 4))
    assert Ruleset.from_dict(ruleset.to_dict()) == ruleset
    assert "scores" not in Ruleset().to_dict()
    assert "scores" not in ruleset.public_dict()
    assert rules.start(ruleset).scores == (3, 4)
    for wrong in ((3,), (3, 121), (3, -1), "34", (True, 1)):
        with pytest.raises(ValueError, match="scores"):
            Ruleset.from_dict({"scores": wrong})
