"""The first game with a coach, followed by keyboard only."""

from playwright.sync_api import expect

from games.learn import coach
from tests.browser.conftest import OpenPage
from tests.support.accessible import complaints
from tests.support.seat import Seat, play_until
from tests.support.servers import Site

SAID = coach.script("Poppy")


def follow(seat: Seat) -> None:
    """Do what the table asks, discarding the cards that the coach advises."""
    if seat.data()["ask"] != "discard":
        seat.act_by_keys()
        return
    version = seat.data()["version"]
    held = seat.hand.evaluate_all("cards => cards.map(card => card.dataset.card)")
    number, advised = next(
        (number, hand.advised.split())
        for number, hand in enumerate(coach.HANDS, start=1)
        if set(hand.learner.split()) == set(held)
    )
    # The advice comes when the playback of the others' discards is over.
    expect(seat.page.locator(".coach")).to_have_text(SAID[f"{number}.ask.discard"])
    for card in advised:
        seat.page.keyboard.press(str(held.index(card) + 1))
    expect(seat.picked).to_have_count(2)
    seat.page.keyboard.press("Enter")
    seat.moved_from(version)


def test_following_the_coach_completes_the_lesson(live_site: Site, open_page: OpenPage) -> None:
    page = open_page(live_site.url, reduced_motion="reduce", viewport={"width": 360, "height": 640})
    page.get_by_role("link", name="New to cribbage?").click()
    page.get_by_role("button", name="Sit down").click()
    seat = Seat(page)
    line = page.locator(".coach")
    heard: list[str] = []

    def is_over(last: str) -> bool:
        text = line.inner_text() if line.count() else ""
        if text and text not in heard[-1:]:
            heard.append(text)
        if seat.data()["ask"] == "continue":
            page.keyboard.press("Space")
        return last in heard

    expect(line).to_have_text(SAID["1.ask.discard"])
    assert complaints(page) == []
    play_until([seat], lambda: is_over(SAID["1.ask.play"]), act=follow)
    page.goto(f"{live_site.url}/learn/")
    page.get_by_role("button", name="Continue the lesson").click()
    seat = Seat(page)
    expect(line).to_have_text(SAID["1.ask.play"])
    play_until([seat], lambda: is_over(SAID["4.dealt"]), act=follow)

    thrown = [SAID["2.discarded.2C KD.own"], SAID["3.discarded.8S KC.own"]]
    assert [text for text in heard if text in thrown] == thrown
    assert heard.index(SAID["heels.own"]) > heard.index(thrown[1])
