"""Review pages: contents, access and progress."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from games import hooks
from games.analysis.review import Item
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG
from games.engine import rules
from games.engine.moves import Resign
from games.engine.state import Ruleset
from games.hooks import Field, FieldHand, FieldThrow
from games.learn import review_jobs
from games.log import store, summaries
from games.log.store import Entry
from games.models import Match, Player, Review
from games.models.moves import IDLE
from games.pages.card_svg import plain
from games.pages.learn import review_sheet, review_words
from games.people.accounts import create_guest
from games.tables.tables import create_match, join_match
from tests.support.letters import state_of
from tests.support.played import play_on
from tests.support.reviewed import away_for, played_match, review_now

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("requested_reviews")]


def reviewed(*people: Player, **rules: Any) -> Match:
    match = cast(Match, played_match(*people, **rules))
    review_now(match.pk)
    return match


def given_up(player: Player, client_id: str) -> Match:
    """Return a reviewed match in which the second player gave up; the id tells how."""
    match = create_match(creator=player, ruleset=Ruleset(players=2))
    join_match(player=create_guest(name="Bob"), invite=match.invite)
    play_on(match.public_id, moves=40)
    before = state_of(match)
    after = rules.apply(before, Resign(1)).state
    now = timezone.now()
    store.write_all([Entry(match.pk, before.sequence, 1, "1 resign", client_id, now)])
    change = summaries.effects(match.pk, before, after, now)
    assert change is not None
    summaries.write([change])
    review_now(match.pk)
    return Match.objects.get(pk=match.pk)


def items_of(match: Match) -> list[Item]:
    return [Item.from_dict(item) for item in Review.objects.get(match=match).items]


def page(client: Client, match: Match, query: str = "") -> str:
    answer = client.get(f"/matches/{match.public_id}/review/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("rules", [{}, {"players": 3}], ids=["two", "three"])
def test_a_guest_can_read_their_review_with_a_link_to_each_step(
    client: Client, player: Player, rules: dict[str, int]
) -> None:
    match = reviewed(player, **rules)
    text = page(client, match)
    own = [item for item in items_of(match) if item.seat == 0 and not item.forced]
    for item in own:
        assert f'id="d{item.sequence}"' in text
        address = f"/matches/{match.public_id}/{item.game}.{item.hand}/{item.sequence}/"
        assert address in text
    assert text.count('class="decision decision-') == len(own)
    assert "In hindsight:" in text
    assert ("With three players the review is coarser" in text) == ("players" in rules)
    step = client.get(f"/matches/{match.public_id}/1.1/{own[0].sequence}/")
    assert step.status_code == 200


def test_a_substitutes_decisions_are_not_listed(client: Client, player: Player) -> None:
    match = reviewed(player)
    away_for(match, 0, range(50, 80))
    items = [item for item in items_of(match) if not item.forced]
    own = [item.sequence for item in items if item.seat == 0 and not 50 <= item.sequence < 80]
    text = page(client, match)
    assert [int(at) for at in re.findall(r'id="d(\d+)"', text)] == own
    assert "A computer played for you for a while." in text
    panel = client.get(f"/matches/{match.public_id}/review.json").json()
    assert [one["step"] for one in panel["items"] if one["seat"] == 0] == own
    Match.objects.filter(pk=match.pk).update(watchable=True)
    assert "A computer played for Margery for a while." in page(Client(), match)


def test_a_review_can_be_filtered_by_seat_and_by_mistakes(client: Client, player: Player) -> None:
    match = reviewed(player)
    items = [item for item in items_of(match) if not item.forced]
    assert page(client, match, "?seat=all").count('class="decision decision-') == len(items)
    wrong = [item for item in items if item.seat == 1 and item.verdict in WRONG]
    shown = page(client, match, "?seat=1&show=wrong")
    assert re.findall(r'id="d(\d+)"', shown) == [str(item.sequence) for item in wrong]


def main_of(text: str) -> str:
    """Return what stands between the header and the footer of a page."""
    return text.split("<main", 1)[1].split("<footer", maxsplit=1)[0]


def test_a_match_of_several_games_shows_one_at_a_time(client: Client, player: Player) -> None:
    match = reviewed(player, games=2)
    first, second = page(client, match), page(client, match, "?game=2")
    assert f"/matches/{match.public_id}/1.1/" in first
    assert f"/matches/{match.public_id}/2.1/" not in first
    assert f"/matches/{match.public_id}/2.1/" in second
    # The page's own address stands in the header, to return after logging in, and in the footer.
    unknown = page(client, match, "?game=9&seat=x")
    assert main_of(unknown) == main_of(first), "unknown values fall back to the defaults"


def test_every_step_of_the_chart_links_to_the_replay(client: Client, player: Player) -> None:
    match = reviewed(player)
    text = page(client, match)
    account = GameAccount.from_dict(Review.objects.get(match=match).accounts[0])
    bands = re.findall(r'<a href="([^"]+)" tabindex="-1"><rect', text)
    assert len(bands) == len(account.shifts)
    assert [int(address.split("/")[-2]) for address in bands] == [
        shift.sequence + 1 for shift in account.shifts
    ]
    assert text.index("Own choices") < text.index("<summary>Chance to win, step by step")


def test_in_french_a_space_stands_before_the_colon_of_a_step(
    client: Client, player: Player
) -> None:
    client.cookies["language"] = "fr"
    titles = re.findall(r"<title>([^<]*)</title>", main_of(page(client, reviewed(player))))
    told = [title for title in titles if ":" in title]
    assert told
    assert all("\N{NO-BREAK SPACE}:" in title for title in told)


def test_the_costliest_mistakes_come_first_with_the_best_beside_the_played(
    client: Client, player: Player
) -> None:
    match = reviewed(player)
    text = page(client, match, "?seat=all")
    wrong = [item for item in items_of(match) if item.verdict in WRONG and item.options]
    wrong.sort(key=lambda item: (-item.chance_lost, item.sequence))
    shown = [int(found) for found in re.findall(r'class="mistake mistake-\w+" id="m(\d+)"', text)]
    assert shown == [item.sequence for item in wrong[: review_sheet.MISTAKES]]
    assert text.index('id="mistakes"') < text.index('id="summary"') < text.index('id="decisions"')
    sides = text.split(f'id="m{shown[0]}"')[1].split("</li>")[0]
    for cards in (wrong[0].chosen, wrong[0].options[0].cards):
        assert all(plain(card) in sides for card in cards)
    for item in wrong[: review_sheet.MISTAKES]:
        part = text.split(f'id="m{item.sequence}"')[1].split("</li>")[0]
        assert f'<p class="reason">{escape(review_words.reason(item))}</p>' in part
        board = f"/matches/{match.public_id}/analysis/{item.sequence}/?seat={item.seat}"
        assert f'href="{board}"' in part
        assert client.get(board)["Location"].startswith("/analysis/?cards=")


def test_the_mistakes_are_those_of_the_chosen_seat_and_game(client: Client, player: Player) -> None:
    match = reviewed(player, games=2)
    answer = client.get(f"/matches/{match.public_id}/review/?seat=1&game=2")
    shown = [mistake.line.item for mistake in answer.context["mistakes"]]
    assert all((item.seat, item.game) == (1, 2) for item in shown)


def test_the_number_of_mistakes_is_that_of_the_game_whose_mistakes_are_listed(
    client: Client, player: Player
) -> None:
    match = reviewed(player, games=2)
    for game in (1, 2):
        wrong = [
            item
            for item in items_of(match)
            if item.seat == 0 and item.game == game and item.verdict in WRONG
        ]
        assert f"Mistakes and blunders only ({len(wrong)})" in page(client, match, f"?game={game}")


@pytest.mark.parametrize("status", ["working", "failed"])
def test_an_unfinished_review_neither_praises_nor_promises_what_may_not_come(
    client: Client, player: Player, status: str
) -> None:
    match = reviewed(player)
    row = Review.objects.get(match=match)
    right = [item for item in row.items if item["verdict"] not in WRONG]
    Review.objects.update(status=status, items=right[:3])
    assert "No mistakes or blunders" not in page(client, match)
    Review.objects.update(items=[])
    assert ("The first results are coming." in page(client, match)) == (status == "working")


def test_marks_of_the_chart_lead_to_the_decisions_on_the_page(
    client: Client, player: Player
) -> None:
    match = reviewed(player)
    text = page(client, match, "?seat=0")
    own = [item for item in items_of(match) if item.verdict in WRONG and item.seat == 0]
    marks = re.findall(r'<a href="#d(\d+)" tabindex="-1"><circle', text)
    assert marks == [str(item.sequence) for item in own]
    assert all(f'id="d{mark}"' in text for mark in marks)
    assert f"Mistakes and blunders: {len(own)}." in text, "the text alternative of the chart"


@pytest.mark.parametrize("rules", [{}, {"players": 3}], ids=["two", "three"])
def test_the_displayed_parts_of_luck_and_skill_add_up(
    player: Player, rules: dict[str, int]
) -> None:
    match = reviewed(player, **rules)
    account = GameAccount.from_dict(Review.objects.get(match=match).accounts[0])
    *parts, result = review_sheet.account_rows(account)
    for seat in range(rules.get("players", 2)):
        shown = [round(10 * number(row.values[seat])) for row in parts]
        assert sum(shown) == round(10 * number(result.values[seat]))


@pytest.mark.parametrize(
    ("client_id", "step", "part"),
    [
        ("b-1", "resigned", "Resigning"),
        ("", "was away; the win was claimed", "Win claimed"),
        (IDLE, "stopped playing; the win was claimed", "Win claimed"),
    ],
)
def test_the_chart_and_the_account_tell_how_a_player_gave_up(
    client: Client, player: Player, client_id: str, step: str, part: str
) -> None:
    text = page(client, given_up(player, client_id))
    assert f"Bob: {step}" in text
    known = ("Resigning", "Win claimed")
    assert [each for each in known if f">{each}<" in text] == [part]


def number(shown: str) -> float:
    return float(shown.replace("\N{MINUS SIGN}", "-").replace("%", "").strip())


def test_the_first_visit_starts_the_review_and_shows_its_progress(
    client: Client, player: Player, requested_reviews: list[int]
) -> None:
    match = cast(Match, played_match(player))
    text = page(client, match)
    assert requested_reviews == [match.pk]
    assert 'data-status="working"' in text
    assert "<progress" in text
    steps = review_jobs.steps_of(match.pk, clock=iter(range(10_000)).__next__)
    for _ in range(12):
        next(steps)
    state = client.get(f"/matches/{match.public_id}/review/state/").json()
    assert state["status"] == "working"
    assert 0 < state["done"] < state["total"]
    assert 'class="decision decision-' in page(client, match, "?seat=all")
    for _ in steps:
        pass
    done = client.get(f"/matches/{match.public_id}/review/state/").json()
    assert (done["status"], done["done"]) == ("done", state["total"])
    assert "<progress" not in page(client, match)
    assert requested_reviews == [match.pk] * 3, (
        "no further request once it is done; until then it is one job"
    )


def test_a_full_review_queue_is_explained(
    client: Client, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = cast(Match, played_match(player))
    monkeypatch.setattr(review_jobs, "request_review", lambda _match: False)
    assert "Other reviews come first" in page(client, match)
    assert client.get(f"/matches/{match.public_id}/review/state/").json()["status"] == "busy"


def test_a_failed_review_is_explained(client: Client, player: Player) -> None:
    match = reviewed(player)
    Review.objects.update(status=Review.Status.FAILED)
    assert "This review failed." in page(client, match)
    assert "Mistakes and blunders only" in page(client, match)
    Review.objects.update(items=[], accounts=[])
    assert "Decisions</h2>" not in page(client, match), "nothing to list"


def test_a_review_that_has_not_begun_counts_and_filters_nothing(
    client: Client, player: Player
) -> None:
    match = cast(Match, played_match(player))
    text = page(client, match)
    assert "Getting ready." in text
    assert "The first results are coming." in text
    assert "0 of 0" not in text
    assert "Mistakes and blunders only" not in text


ADDRESSES = ("review/", "review/state/", "review.json")


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_running_match_has_no_review(
    client: Client, player: Player, requested_reviews: list[int], address: str
) -> None:
    match = create_match(creator=player, ruleset=Ruleset(), computers={1: "poppy"})
    play_on(match.public_id, moves=60)
    assert client.get(f"/matches/{match.public_id}/{address}").status_code == 404
    assert requested_reviews == []


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_review_is_visible_only_to_those_who_may_see_the_replay(
    client: Client, player: Player, requested_reviews: list[int], address: str
) -> None:
    other = create_guest()
    match = cast(Match, played_match(other))
    assert client.get(f"/matches/{match.public_id}/{address}").status_code == 404
    assert Client().get(f"/matches/{match.public_id}/{address}").status_code == 404
    assert client.get(f"/matches/nosuch/{address}").status_code == 404
    assert requested_reviews == []


@pytest.mark.parametrize("address", ["review/?seat=all", "review.json"])
def test_hands_the_reader_has_not_reached_are_not_shown(
    client: Client, player: Player, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """In an open standard game, other readers see only as many hands as they have played."""
    match = reviewed(create_guest(), watchable=True)
    monkeypatch.setattr(hooks, "_reached", [lambda _match, _player: 2])
    items = items_of(match)
    text = client.get(f"/matches/{match.public_id}/{address}").content.decode()
    later = {item.sequence for item in items if item.hand > 2}
    assert later
    if address.endswith("json"):
        data = client.get(f"/matches/{match.public_id}/{address}").json()
        shown = {one["step"] for one in data["items"]}
        assert data["chances"] == {}
    else:
        shown = {int(found) for found in re.findall(r'id="d(\d+)"', text)}
        assert "you see only hands you've played" in text
        assert "1.3/" not in text
    assert shown == {item.sequence for item in items if item.hand <= 2 and not item.forced}


def test_the_replay_panel_gets_the_decisions_and_the_chances(
    client: Client, player: Player
) -> None:
    match = reviewed(player)
    data = client.get(f"/matches/{match.public_id}/review.json").json()
    items = [item for item in items_of(match) if not item.forced]
    assert [one["step"] for one in data["items"]] == [item.sequence for item in items]
    assert data["status"] == "done"
    account = GameAccount.from_dict(Review.objects.get(match=match).accounts[0])
    assert data["chances"][str(account.shifts[-1].sequence + 1)] == list(account.end)


def test_the_field_comparison_comes_from_the_registered_hook(
    client: Client, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = reviewed(player)
    throw = FieldThrow("5H TD", 3, 2.5, own=False, led=(("4C", 2),))
    told = Field((FieldHand(1, "5H TD 2C 3C 4C 9S", 3, 4.0, 2.5, (throw,)),), "/standard/7/")
    calls: list[tuple[int, int]] = []

    def field_of(found: int, reader: int) -> Field:
        calls.append((found, reader))
        return told

    monkeypatch.setattr(hooks, "_field", [field_of])
    text = page(client, match)
    assert calls == [(match.pk, player.pk)]
    assert "Everyone with these cards" in text
    assert "/standard/7/" in text


def test_a_failing_field_hook_does_not_break_the_review(
    client: Client, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_match: int, _player: int) -> Field:
        raise ZeroDivisionError

    match = reviewed(player)
    monkeypatch.setattr(hooks, "_field", [broken])
    assert "Everyone with these cards" not in page(client, match)


def test_the_page_needs_a_constant_number_of_queries(
    client: Client, player: Player, django_assert_max_num_queries: Any
) -> None:
    match = reviewed(player, games=2)
    with django_assert_max_num_queries(14):
        page(client, match, "?seat=all")
