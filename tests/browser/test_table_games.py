"""Whole games in real browsers, from the landing page to the result."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import ViewportSize, expect

from games.engine.scoring import score_hand
from tests.browser.conftest import OpenPage
from tests.browser.test_ranked import play_by_sockets
from tests.support import transcript
from tests.support.accessible import faults
from tests.support.logs import steps_of
from tests.support.seat import Seat, is_asked, play_out, play_until, sit
from tests.support.servers import Site
from tests.support.tables import make_tables, wish

PHONE: ViewportSize = {"width": 390, "height": 844}
"""A third of a desktop's pixels: what a software renderer paints is most of what a game costs."""

DESKTOP: ViewportSize = {"width": 1280, "height": 800}

LATE = 40
"""Points of 61 at which a test begins that is about the end of a game: two games of 121 are
played from the first card, one of them whole."""

MEANWHILE = (50, 95)
"""Points of 121 to which sockets play between the first hand, one in the middle and the last ones.
No count is worth more than what is left."""

ASKED_AND_ENDED = """[
    document.querySelector(".table-page").dataset.ask,
    document.querySelector("[data-result=game]") !== null,
]"""
"""What a table asks, and whether it shows the end of a game: both at the same moment."""

LINES = """cells => cells.map(cell => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getClientRects().length;
})"""
"""The number of lines of each cell's text."""


def play_hand(seats: list[Seat]) -> None:
    """Play to the next hand with the mouse; then both pages show the same scores."""
    heads = seats[-1].page.locator(".log-head", has_text="Hand ")
    expect(heads).not_to_have_count(0)
    before = heads.count()
    play_until(seats, lambda: heads.count() > before, act=Seat.act)
    theirs, mine = seats[-1].scores()
    assert mine + theirs > 0
    expect(seats[0].page.locator(".plate-score")).to_have_text([str(mine), str(theirs)])


def test_two_browsers_play_a_whole_game_and_start_a_rematch(
    live_site: Site, open_page: OpenPage
) -> None:
    host = open_page(live_site.url, reduced_motion="reduce", worker=True)
    host.get_by_role("button", name="Invite a friend").click()
    link = host.locator("#invite-link")
    link.wait_for()
    guest = open_page(link.input_value(), reduced_motion="reduce", viewport=PHONE, worker=True)
    guest.get_by_role("button", name="Sit down").click()
    seats = [Seat.at_once(guest), Seat.at_once(host)]
    address = host.url

    play_hand(seats)
    for points in MEANWHILE:
        play_by_sockets(live_site, [guest, host], points=points)
        for seat in seats:
            seat.page.goto(address)
            seat.table.wait_for()
        if points < MEANWHILE[-1]:
            play_hand(seats)
    play_out(seats, act=Seat.act)

    mine, theirs = seats[0].scores()
    assert seats[1].scores() == [theirs, mine]
    assert max(mine, theirs) == 121
    winner = seats[0] if mine == 121 else seats[1]
    expect(winner.page.locator(".result-title")).to_have_text("You won!")
    for seat in seats:
        expect(seat.page.locator(".recap-story")).not_to_be_empty()
        expect(seat.page.locator(".recap-sums")).to_contain_text("Your cards were worth")
        assert seat.page.locator(".recap-sums tbody th").evaluate_all(LINES) == [1, 1, 1]
        expect(seat.page.locator(".result-title")).to_be_focused()
        assert faults(seat.page) == []
    before = host.url
    keep = guest.get_by_role("link", name="Create an account to keep this game")
    expect(keep).to_have_attribute("href", f"/accounts/signup/?next={urlsplit(before).path}")
    guest.get_by_role("button", name="Rematch").click()
    host.get_by_role("button", name="Swap seats, same cards").click()
    expect(guest.get_by_role("button", name="Accept the swap")).to_be_visible()
    host.get_by_role("button", name="Accept rematch").click()
    for seat in seats:
        seat.page.wait_for_url(lambda url: "/t/" in url and url != before)
        Seat(seat.page).page.locator("[data-ask=discard]").wait_for()


def test_three_browsers_play_a_game_to_its_end(live_site: Site, open_page: OpenPage) -> None:
    table = make_tables(live_site.database_url, wish(players=3, target=61, points=LATE))[0]
    seats = [sit(live_site, open_page, table, who, viewport=PHONE) for who in range(3)]

    play_out(seats)

    finals = [sorted(seat.scores()) for seat in seats]
    assert finals[0] == finals[1] == finals[2]
    assert max(finals[0]) == 61


def test_a_whole_game_by_keyboard_is_announced_like_a_transcript(
    live_site: Site, open_page: OpenPage
) -> None:
    page = open_page("about:blank", reduced_motion="reduce", sound=True)
    transcript.listen(page)
    page.goto(live_site.url)
    page.get_by_role("button", name="Play the computer").focus()
    page.keyboard.press("Enter")
    seat = Seat(page)
    name = page.locator(".plate-name").last.inner_text().strip()
    page.locator("[data-ask=discard]").wait_for()
    tree = page.locator("main").aria_snapshot()
    for heading in ("Score", "Table", "Hand"):
        assert f'heading "{heading}" [level=2]' in tree
    assert len(re.findall(rf'button "{transcript.CARD}, playable"', tree)) == 6
    assert re.search(rf'img "{name} holds [46] cards"', tree)

    play_out([seat])

    assert max(seat.scores()) == 121
    said, alerts = transcript.heard(page, "polite"), transcript.heard(page, "assertive")
    told = "\n".join(said)
    assert transcript.GAME.fullmatch(transcript.kinds(said, other=name)), told
    assert transcript.strange_alerts(alerts, other=name) == []
    hands = [line for line in said if line.startswith("Hand ")]
    assert sum(line.startswith("Choose") for line in alerts) == len(hands)
    assert sum("won the match" in line for line in alerts) == 1
    assert "won the match" in alerts[-1]
    assert [line.split(".")[0] for line in hands] == [
        f"Hand {number}" for number in range(1, len(hands) + 1)
    ]


def test_enter_on_chosen_points_claims_them(live_site: Site, open_page: OpenPage) -> None:
    table = make_tables(live_site.database_url, wish(counting="manual", computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0)
    play_until([seat], is_asked([seat], "claim"))
    before = seat.data()["version"]
    points = seat.page.locator(".grid").get_by_role("button", name="4", exact=True)
    points.press("Enter")
    expect(points).to_have_attribute("aria-pressed", "true")
    assert seat.data()["version"] == before
    points.press("Enter")
    seat.moved_from(before)


def test_a_double_tap_on_a_card_moves_no_card_and_plays_none_without_its_points(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(live_site.database_url, wish(counting="manual", computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0)
    for size in (PHONE, DESKTOP):
        seat.page.set_viewport_size(size)
        play_until([seat], is_asked([seat], "play"))
        before = seat.data()["version"]
        place = seat.page.locator(".hand").bounding_box()
        seat.page.locator(".hand-card:not([aria-disabled])").first.dblclick()
        expect(seat.primary).to_contain_text("claim 0")
        expect(seat.picked).to_have_count(1)
        assert seat.page.locator(".hand").bounding_box() == place
        assert seat.data()["version"] == before
        seat.primary.click()
        seat.moved_from(before)


def test_the_focus_stays_at_the_table_when_a_count_is_let_stand(
    live_site: Site, open_page: OpenPage
) -> None:
    rules = wish(counting="manual", muggins=True, computers=(1,), first_dealer=0)
    table = make_tables(live_site.database_url, rules)[0]
    seat = sit(live_site, open_page, table, 0)

    def act(one: Seat) -> None:
        if one.asked != "answer":  # the question may come after `play_until` has looked for it
            one.act_by_keys()

    play_until([seat], is_asked([seat], "answer"), act=act)
    before = seat.data()["version"]
    seat.primary.press("Enter")
    seat.moved_from(before)
    expect(seat.primary).to_have_text("Choose your points")
    expect(seat.primary).to_be_focused()


def test_an_empty_hand_with_the_focus_has_no_ring(live_site: Site, open_page: OpenPage) -> None:
    table = make_tables(live_site.database_url, wish(counting="manual", computers=(1,)))[0]
    seat = sit(live_site, open_page, table, 0)
    ring = "hand => { hand.focus(); return getComputedStyle(hand).outlineStyle; }"
    play_until([seat], is_asked([seat], "play"))
    assert seat.page.locator(".hand").evaluate(ring) == "solid"
    play_until([seat], is_asked([seat], "claim"))
    play_until([seat], lambda: not seat.hand.count())
    assert seat.page.locator(".hand").evaluate(ring) == "none"


def test_a_game_with_manual_counting_and_muggins(live_site: Site, open_page: OpenPage) -> None:
    table = make_tables(live_site.database_url, wish(target=61, counting="manual", muggins=True))[0]
    seats = [sit(live_site, open_page, table, who) for who in range(2)]

    def worth(who: int) -> int:
        hand = steps_of(live_site.database_url, table.pk)[-1].state.hand
        assert hand is not None
        assert hand.starter is not None
        return score_hand(hand.kept(who), hand.starter).total

    def has_points_to_claim() -> bool:
        return any(seat.asked == "claim" and worth(who) for who, seat in enumerate(seats))

    play_until(seats, is_asked(seats, "play"), act=Seat.act)
    player = next(seat for seat in seats if seat.asked == "play")
    place = player.hand.last.bounding_box()
    player.hand.first.click()
    expect(player.picked).to_have_count(1)
    assert player.hand.last.bounding_box() == place
    player.page.keyboard.press("Escape")
    expect(player.picked).to_have_count(0)
    play_until(seats, has_points_to_claim, act=Seat.act)
    claimer = next(seat for seat in seats if seat.asked == "claim")
    for number in ("19", "25", "26", "27"):
        expect(claimer.page.get_by_role("button", name=f"{number}, impossible")).to_be_disabled()
    claimer.page.get_by_role("button", name="0", exact=True).click()
    claimer.primary.click()
    other = next(seat for seat in seats if seat is not claimer)
    other.page.locator("[data-ask=answer]").wait_for()
    before = other.scores()[0]
    other.page.get_by_role("button", name="Muggins!").click()
    expect(other.page.locator(".ask")).to_contain_text("How many points")
    missed = other.page.get_by_role("group", name="Missed points")
    missed.get_by_role("button", name="1", exact=True).click()
    called = missed.get_by_role("button", name="29", exact=True)
    called.press("Enter")
    expect(other.primary).to_have_text("Muggins! 29")
    called.press("Enter")
    other.page.locator("[data-ask]:not([data-ask=answer])").first.wait_for()
    other.page.get_by_text("muggins from").first.wait_for()
    hand = steps_of(live_site.database_url, table.pk)[-1].state.hand
    assert hand is not None
    taken = hand.mugged[seats.index(other)]
    assert taken == worth(seats.index(claimer)) > 0
    expect(other.page.locator(".plate-score").first).to_have_text(str(before + taken))
    begun = f"Hand {hand.number + 1}"
    play_until(seats, lambda: begun in other.page.locator(".log-head").all_inner_texts()[-1])


def test_a_match_of_two_games_continues_after_the_first(
    live_site: Site, open_page: OpenPage
) -> None:
    table = make_tables(
        live_site.database_url, wish(players=2, target=61, games=2, points=LATE, computers=(1,))
    )[0]
    seat = sit(live_site, open_page, table, 0)
    # At this pace the end of a game is shown until a key is pressed, as is each count.
    seat.page.goto(seat.page.url.replace("pace=instant", "pace=tap"))
    seat.table.wait_for()
    between = seat.page.locator("[data-result=game]")

    def is_between() -> bool:
        asked, ended = seat.page.evaluate(ASKED_AND_ENDED)
        if asked == "continue" and not ended:
            seat.page.keyboard.press("Space")
        return bool(ended)

    play_until([seat], is_between)
    expect(between).to_contain_text("won")
    seat.page.keyboard.press("Space")
    expect(between).to_have_count(0)
    assert seat.scores() == [0, 0]
    expect(seat.page.locator(".rules-line")).to_contain_text("game 2 of 2")
    seat.act()


def test_a_watcher_sees_the_game_and_no_hidden_card(live_site: Site, open_page: OpenPage) -> None:
    table = make_tables(live_site.database_url, wish(watchable=True, watchers=1))[0]
    seats = [sit(live_site, open_page, table, who) for who in range(2)]
    watcher = sit(live_site, open_page, table, 2)

    play_until(seats, lambda: watcher.page.locator(".pile .card").count() >= 4)

    expect(watcher.hand).to_have_count(0)
    expect(watcher.page.locator(".primary")).to_have_count(0)
    # Every named card has been played or turned up; the others are nameless card backs.
    named = watcher.page.locator("[data-card]").evaluate_all(
        "cards => cards.map((card) => [card.dataset.card, Boolean(card.closest('.pile, .deck'))])"
    )
    assert named
    assert all(open_to_all for _, open_to_all in named), named
    expect(watcher.page.locator(".backs [data-card]")).to_have_count(0)
