"""The recap of a game on standard deals, which the table shows when the game is over."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from games.archive import selectors
from games.archive.measuring import measure
from games.archive.recap import recap_of
from games.engine.cards import parse_cards
from games.engine.state import Ruleset
from games.jobs.worker import work_off
from games.log.verify import differences
from games.models import HandSeat, Match, Player
from games.pages.card_svg import face
from games.people.accounts import create_guest
from games.tables.forfeit import leave_for_good
from games.tables.tables import create_match, join_match
from ratings.clubs.night_state_machine import advance
from ratings.models import Play, RatingChange
from ratings.pages import sentences
from ratings.pages.field_chart import field_chart
from ratings.rating.feed import FeedItem, Reason, own_changes
from ratings.rating.results import collect
from ratings.standard import catalogue, challenge, daily
from ratings.standard.field import compare_margin
from tests.support.evenings import club_of, night_of, play_out, under_way
from tests.support.standard_tables import people, play_on
from tests.support.tournaments import begun
from tests.support.tournaments import under_way as events_under_way

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday")]


def recap(player: Player, match: Match, status: int = 200) -> str:
    client = Client()
    client.force_login(player)
    answer = client.get(f"/matches/{match.public_id}/recap/")
    assert answer.status_code == status
    return answer.content.decode()


def ranked(players: list[Player]) -> Match:
    game = catalogue.choose_game(players=players)
    catalogue.prepare(game=game)
    return catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)


def finished(match: Match) -> Match:
    play_on(match)
    collect(match=match.pk)
    match.refresh_from_db()
    return match


def exceed_expectation(player: Player, by: float) -> None:
    """Have a player's only change of rating come from a margin so far above the expected one."""
    change = RatingChange.objects.get(player=player)
    (part,) = (part for part in change.parts if part["cause"] == "new")
    change.parts = [{**part, "was": part["now"] - by, "elo": change.now - change.was}]
    change.save()


@pytest.mark.parametrize("rest", [[], [Reason("rest", None, -0.04)]])
def test_a_result_too_close_to_expectation_to_move_the_rating_has_a_reason(
    rest: list[Reason],
) -> None:
    change = FeedItem(timezone.now(), None, was=1500, now=1500, own=True, reasons=rest)
    assert sentences.main_reason(change, game=7) == "Just as expected with these cards."


@pytest.mark.parametrize(
    ("margin", "expected", "told"),
    [
        (12, -1.2, "12 points ahead. Expected with these cards: 1 point behind. So 13 points bet"),
        (-24, -10.6, "24 points behind. Expected with these cards: 11 points behind. So 13 point"),
        (5, 3.6, "5 points ahead. Expected with these cards: 4 points ahead. So 1 point better."),
        (2.5, 0.3, "2.5 points ahead. Expected with these cards: level. So 2.5 points better."),
        (-3, -3.4, "Just as expected with these cards."),
    ],
)
def test_a_reader_can_work_out_how_a_result_compares_with_what_was_expected(
    margin: float, expected: float, told: str
) -> None:
    reason = Reason("new", 7, margin - expected, was=expected, now=margin)
    change = FeedItem(timezone.now(), None, was=1500, now=1508, own=True, reasons=[reason])
    assert told in sentences.main_reason(change, game=7)


def test_the_feed_shows_a_change_as_the_difference_of_the_ratings_beside_it() -> None:
    change = FeedItem(timezone.now(), None, was=1479.94, now=1476.76, own=True)
    assert change.elo == pytest.approx(-3.18)
    (line,) = sentences.news_lines([change])
    assert line.elo == "−3.1"  # beside 1479.9 → 1476.8


def test_the_page_of_a_result_says_what_it_did_to_the_rating_as_the_recap_does() -> None:
    players = people(2)
    match = finished(ranked(players))
    client = Client()
    client.force_login(players[0])
    number = Play.objects.get(match=match).standard_game_id
    page = client.get(f"/standard/{number}/result/{match.public_id}/").content.decode()
    change = re.compile(r'<p class="recap-rating">.*?</a></p>', re.DOTALL)
    (told,) = change.findall(page)
    assert told in recap(players[0], match)


def test_the_sheet_shows_the_change_of_the_rating_and_of_when_its_numbers_are() -> None:
    """The expectation is stored when the game is rated; the field grows later."""
    players = people(2)
    match = finished(ranked(players))
    exceed_expectation(players[0], by=5.0)
    client = Client()
    client.force_login(players[0])
    sheet = f"/standard/{Play.objects.get(match=match).standard_game_id}/"
    for address in (sheet, f"{sheet}result/{match.public_id}/"):
        page = client.get(address).content.decode()
        assert page.count('<p class="recap-rating">') == 1
        assert "“Expected” is from when this game was rated, “Others' average” from now." in page
    assert "“Expected” is from" not in recap(players[0], match)
    exceed_expectation(players[0], by=0.0)
    for address in (sheet, f"{sheet}result/{match.public_id}/"):
        page = client.get(address).content.decode()
        assert "Just as expected with these cards." in page
        assert "“Expected” is from" not in page


def test_guests_are_offered_to_keep_a_ranked_game() -> None:
    guest, ann = create_guest(), people(1)[0]
    match = finished(ranked([guest, ann]))
    address = f"/accounts/signup/?next=/t/{match.public_id}/"
    assert address in recap(guest, match)
    assert address not in recap(ann, match)


def test_the_recap_is_pending_until_the_result_is_stored_and_rated() -> None:
    players = people(2)
    match = ranked(players)
    recap(players[0], match, status=404)
    play_on(match)
    measure(match=match.pk)
    early = recap(players[0], match)
    assert "data-pending" in early
    assert "Next ranked game" in early
    assert "recap-place" not in early
    collect(match=match.pk)
    page = recap(players[0], match)
    assert "data-pending" not in page
    assert re.search(r"(Tied for )?\d\w\w of \d with these cards", page)
    assert re.search(r"1,?500 → 1,?[45]\d\d", page)
    assert re.search(r"So \d+ points? (better|worse)\.|Just as expected", page)


def test_no_one_is_called_the_first_while_house_computers_still_play_the_cards() -> None:
    players = people(2)
    game = catalogue.choose_game(players=players)
    match = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    measure(match=finished(match).pk)
    early = recap(players[0], match)
    assert "data-pending" in early
    assert "the first to play" not in early
    work_off()
    page = recap(players[0], match)
    assert "data-pending" not in page
    assert re.search(r"\d\w\w of \d with these cards", page)


@pytest.mark.parametrize("page", ["result/{match}/", ""], ids=["result", "traveller"])
def test_pages_of_a_result_wait_for_house_computers_as_the_recap_does(page: str) -> None:
    players = people(2)
    game = catalogue.choose_game(players=players)
    match = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    measure(match=finished(match).pk)
    client = Client()
    client.force_login(players[0])
    address = f"/standard/{game.pk}/{page.format(match=match.public_id)}"
    early = client.get(address).content.decode()
    assert "No one else has played these cards yet" not in early
    assert "data-pending-result" in early
    assert "js/pages/pending_result.js" in early
    work_off()
    late = client.get(address).content.decode()
    assert "data-pending-result" not in late
    assert "js/pages/pending_result.js" not in late
    assert "with these cards" in late


def test_a_change_too_small_for_others_feeds_is_shown_to_who_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ratings.rating.updates.MIN_CHANGE_ELO", 10_000.0)
    players = people(2)
    match = ranked(players)
    play_on(match)
    measure(match=match.pk)
    collect(match=match.pk)
    page = recap(players[0], match)
    assert re.search(r"1,?500 → 1,?[45]\d\d", page)


def test_a_game_finds_the_change_that_it_made_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ratings.rating.updates.MAX_STORED_PARTS", 0)
    players = people(2)
    plays = [Play.objects.get(match=finished(ranked(players))) for _ in range(2)]
    first, second = RatingChange.objects.filter(player=players[0]).order_by("pk")
    found = own_changes(player=players[0], plays=plays)
    assert found == {plays[0].pk: first, plays[1].pk: second}
    first.delete()
    assert own_changes(player=players[0], plays=plays) == {plays[1].pk: second}


@pytest.mark.parametrize("kind", ["ranked", "daily", "challenge"])
def test_each_kind_of_game_has_a_way_on_of_its_own(kind: str) -> None:
    (ann,) = people(1)
    if kind == "ranked":
        match, way = ranked([ann, *people(1, start=5)]), "Next ranked game"
    elif kind == "daily":
        match, way = daily.begin(player=ann), "Today&#x27;s standings"
    else:
        match = challenge.begin(player=ann, invite=challenge.make().invite)
        way = "See who else has played"
    page = recap(ann, finished(match)).replace("'", "&#x27;")
    assert page.count('class="primary"') == 1
    assert way in page
    assert "Compare with others" in page


def test_the_standings_of_another_day_are_not_called_todays() -> None:
    (ann,) = people(1)
    yesterday = daily.today() - timedelta(days=1)
    page = recap(ann, finished(daily.begin(player=ann, day=yesterday)))
    assert f'href="{reverse("ratings:day", args=[yesterday])}">Standings<' in page
    assert "Today" not in page


def test_a_club_nights_game_leads_back_to_the_night() -> None:
    club, members = club_of(2)
    night = night_of(club, members[0], entrants=members)
    night = advance(night=night, now=night.starts_at)
    (match,) = under_way(night)
    play_out(match)
    page = recap(members[0], match)
    assert page.count('class="primary"') == 1
    assert f'href="{reverse("ratings:night", args=[night.token])}">Back to the club night' in page


def test_a_tournaments_recap_says_why_it_is_not_rated_and_compares_only_shared_cards() -> None:
    """In a knockout no one else ever gets the cards, so no one is the first to play them."""
    for kind, shared in (("knockout", False), ("swiss", True)):
        event, who = begun(kind, 2, start=20 * shared)
        (match,) = events_under_way(event)
        play_on(match)
        assert ("Comparing you with everyone" in recap(who[1], match)) == shared
        assert collect(match=match.pk)
        page = recap(who[1], match)
        assert "Not rated: tournaments never change ratings." in page
        assert ("Compare with others" in page) == shared
        assert "first to play these cards" not in page or shared
        address = reverse(
            "ratings:result", args=[match.standard_play.standard_game_id, match.public_id]
        )
        result = Client()
        result.force_login(who[1])
        page = result.get(address).content.decode()
        for said in ("Compare with others", "Matchpoints"):
            assert (said in page) == shared, said
        assert "No one else has played these cards" not in page or shared


def test_the_recap_shows_only_the_players_own_cards_and_only_to_players_of_the_match() -> None:
    ann, bob, eve = people(3)
    match = finished(ranked([ann, bob]))
    assert Play.objects.get(match=match).standard_game.is_open
    for player in (ann, bob):
        page = recap(player, match)
        shown = {card for card in range(52) if face(card, size="small") in page}
        assert len(shown) == page.count("card-face") == 5
        hands = HandSeat.objects.filter(hand__match=match, seat__player=player)
        assert any(
            shown <= {*parse_cards(part.dealt), *parse_cards(part.hand.starter)}
            for part in hands.select_related("hand")
        )
    recap(eve, match, status=404)
    assert Client().get(f"/matches/{match.public_id}/recap/").status_code == 404


def test_the_strip_ends_where_a_player_who_left_stopped_seeing_cards() -> None:
    ann, bob = people(2)
    match = ranked([ann, bob])
    play_on(match, stop=2)
    leave_for_good(match=match.pk, seat=0, timed_out=True)
    page = recap(ann, finished(match))
    assert "Your time ran out, so this game is lost." in page
    assert page.count("<li class=") == 2
    assert "/review/" not in page
    assert "card-face" not in page
    assert recap(bob, match).count("<li class=") > 2


def test_no_page_says_that_a_player_who_lost_on_time_won() -> None:
    """The computer in the seat of the player who left reaches 121 first."""
    ann, bob = people(2)
    match = ranked([ann, bob])
    Match.objects.filter(pk=match.pk).update(ruleset={**match.ruleset, "scores": [120, 0]})
    assert leave_for_good(match=match.pk, seat=0, timed_out=True)
    finished(match)
    assert match.winner == 0
    assert not list(differences(match))
    seats = match.seats.order_by("seat")
    assert [(seat.won, seat.skunks, seat.skunked) for seat in seats] == [
        (False, 0, 0),
        (True, 0, 0),
    ]
    for player, said in ((ann, "You lost on time"), (bob, "You won the match")):
        client = Client()
        client.force_login(player)
        page = client.get(f"/matches/{match.public_id}/").content.decode()
        assert f"<h1>{said}</h1>" in page
        assert 'class="game-won"' not in page
        detail = selectors.match_detail(public_id=match.public_id, viewer=player)
        assert detail is not None
        told = recap_of(detail)
        assert told is None if player == ann else told is not None and told.won
        assert "recap-story" not in recap(player, match)
        own = client.get("/api/v1/matches").json()["matches"][0]
        assert own["seats"][0]["won"] is False
        assert own["seats"][1]["won"] is True
    assert client.get(f"/matches/{match.public_id}/print/").content.decode().count("wins the") == 0
    steps = client.get(f"/matches/{match.public_id}/replay.json").json()
    assert [seat["left"] for seat in steps["seats"]] == ["timed_out", None]


def test_an_ordinary_match_has_no_field() -> None:
    ann, bob = people(2)
    match = create_match(creator=ann, ruleset=Ruleset())
    join_match(player=bob, invite=match.invite)
    assert "recap-field" not in recap(ann, finished(match))


@pytest.mark.parametrize(
    ("own", "others", "words"),
    [
        (5.0, (), "You're the first to play these cards."),
        (5.0, (4.0, 6.0, 7.0), "3rd of 4 with these cards"),
        (5.0, (4.0, 5.0), "Tied for 1st of 3 with these cards"),
    ],
)
def test_the_place_is_said_in_words(own: float, others: tuple[float, ...], words: str) -> None:
    assert sentences.place_in_words(compare_margin(own, others)) == words
    with translation.override("fr"):
        assert "<" not in sentences.place_in_words(compare_margin(own, others))


@pytest.mark.parametrize("number", [1, 30, 399])
def test_each_play_is_a_dot_within_the_picture(number: int) -> None:
    margins = [float(at % 7 - 20) for at in range(number)]
    chart = ElementTree.fromstring(field_chart(compare_margin(-12.0, margins), margins))
    dots = [
        (float(dot.attrib["cx"].rstrip("%")), float(dot.attrib["cy"].rstrip("%")))
        for dot in chart.iter("circle")
    ]
    assert len(dots) == number + 1
    assert all(0 < x < 100 and 0 < y < 100 for x, y in dots)
    assert len(set(dots)) == number + 1, "no dot hides another"
    assert "Your margin: −12." in chart.attrib["aria-label"]


def test_a_margin_with_three_players_keeps_its_half_point() -> None:
    picture = field_chart(compare_margin(-6.5, [4.5, 10.0]), [4.5, 10.0])
    assert "you −6.5" in picture
    assert "The others: +4.5 to +10," in picture


def test_the_readers_label_is_above_the_dots_beside_their_own() -> None:
    margins = [-40.0, *[-6.0] * 4, 40.0]
    chart = ElementTree.fromstring(field_chart(compare_margin(-12.0, margins), margins))
    label = next(text for text in chart.iter("text") if "you" in "".join(text.itertext()))
    highest = min(float(dot.attrib["cy"].rstrip("%")) for dot in chart.iter("circle"))
    assert float(label.attrib["y"].rstrip("%")) <= highest
