"""Drills: questions, verdicts, when a mistake is asked again, and habits."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.timesince import timeuntil

from games.analysis.review import Item, judge, options
from games.analysis.review_verdicts import SOUND, WRONG
from games.engine.cards import NAMES
from games.learn import drills, habits, repetition, reviews
from games.models import Match, Mistake, Player, Review
from games.people.accounts import create_guest, merge_guest
from tests.support.reviewed import played_match, review_now
from tests.support.wrong_clocks import wrong_clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday", "requested_reviews")]


def reviewed(player: Player, **rules: Any) -> Match:
    match = cast(Match, played_match(player, **rules))
    review_now(match.pk)
    return match


def names(cards: tuple[int, ...]) -> list[str]:
    return [NAMES[card] for card in cards]


# --- drills ------------------------------------------------------------------------------------


def test_a_question_shows_exactly_the_players_view_at_the_time(
    client: Client, player: Player
) -> None:
    match = reviewed(player)
    answer = client.get("/drills/")
    due = drills.next_due(player=player)
    assert due is not None
    asked_now = drills.question(mistake=Mistake.objects.get(pk=due.pk))
    assert answer.context["mistake"] == due
    assert [pick.name for pick in answer.context["picks"]] == names(
        tuple(sorted(asked_now.view.cards))
    )
    (stored,) = (
        item
        for item in map(Item.from_dict, Review.objects.get(match=match).items)
        if item.sequence == due.sequence
    )
    assert asked_now.then == tuple(sorted(stored.chosen))
    assert judge(asked_now.view, asked_now.then).verdict == stored.verdict
    assert stored.verdict in WRONG


def test_a_mistake_is_due_at_once_by_a_slow_clock_too(player: Player) -> None:
    reviewed(player)
    with wrong_clock(timedelta(days=-1)):
        assert drills.next_due(player=player)


@pytest.mark.parametrize("well", [True, False])
def test_an_answer_gets_a_verdict_and_schedules_the_next_repetition(
    client: Client, player: Player, well: bool
) -> None:
    reviewed(player)
    due = drills.next_due(player=player)
    assert due is not None
    asked_now = drills.question(mistake=due)
    ranked = options(asked_now.view)
    cards = (ranked[0] if well else ranked[-1]).cards
    answer = client.post(f"/drills/{due.pk}/", {"cards": names(cards)}, follow=True)
    shown = answer.redirect_chain[0][0]
    assert answer.status_code == 200
    assert answer.context["well"] == well
    due.refresh_from_db()
    assert (due.asked, due.right) == (1, int(well))
    pause = due.due - timezone.now()
    if well:
        assert pause > timedelta(days=1)
    else:
        assert abs(pause - repetition.SOON) < timedelta(minutes=1)
    client.post(f"/drills/{due.pk}/", {"cards": names(cards)})
    due.refresh_from_db()
    assert due.asked == 1, "an early answer is judged but not recorded"
    assert client.get(shown).context["well"] == well
    assert "It comes back in" in client.get(shown).content.decode()
    Mistake.objects.filter(pk=due.pk).update(due=timezone.now())
    assert client.get(shown).context["well"] == well
    assert "It comes back in" not in client.get(shown).content.decode()
    due.refresh_from_db()
    assert due.asked == 1, "to look at an answer again is no answer"


def test_who_has_no_mistakes_is_praised_only_after_a_match(client: Client, player: Player) -> None:
    praise = "No mistakes recently"
    first = client.get("/drills/").content.decode()
    assert "Mistakes from your matches will appear here." in first
    assert "Play the computer" in first[first.index("will appear here") :][:300]
    assert praise not in first
    match = reviewed(player)
    Mistake.objects.filter(seat__match=match).delete()
    assert praise in client.get("/drills/").content.decode()


def test_pauses_grow_with_good_answers_and_restart_after_a_bad_one(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed(player)
    mistake = drills.next_due(player=player)
    assert mistake is not None
    asked_now = drills.question(mistake=mistake)
    best = options(asked_now.view)[0].cards
    now, pauses = timezone.now(), []
    for _ in range(5):
        now = max(now, asked_now.mistake.due)
        monkeypatch.setattr(timezone, "now", lambda at=now: at)
        assert drills.answer(asked=asked_now, cards=best).verdict in SOUND
        pauses.append(asked_now.mistake.due - now)
    assert pauses == sorted(set(pauses))
    assert drills.score(player=player).known == 1
    now = asked_now.mistake.due
    monkeypatch.setattr(timezone, "now", lambda: now)
    drills.answer(asked=asked_now, cards=asked_now.then)
    assert asked_now.mistake.due - now == repetition.SOON
    assert (asked_now.mistake.asked, asked_now.mistake.right) == (6, 5)


def test_the_next_question_is_announced_for_the_moment_from_which_it_is_asked(
    client: Client, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed(player)
    due = drills.next_due(player=player)
    assert due is not None
    Mistake.objects.exclude(pk=due.pk).delete()
    ranked = options(drills.question(mistake=due).view)
    best = {"cards": names(ranked[0].cards)}
    answer = client.post(f"/drills/{due.pk}/", best, follow=True)
    told = drills.next_time(player=player)
    assert told is not None
    assert f"It comes back in {timeuntil(told)}" in answer.content.decode()
    assert f"comes in {timeuntil(told)}" in client.get("/drills/").content.decode()
    for ahead, number in ((-timedelta(seconds=1), 0), (timedelta(0), 1)):
        monkeypatch.setattr(timezone, "now", lambda at=told + ahead: at)
        assert drills.number_due(player=player) == number


def test_what_is_due_later_today_is_asked_today_but_a_wrong_answer_waits_its_minutes(
    player: Player,
) -> None:
    reviewed(player)
    soon = timezone.now() + timedelta(minutes=5)
    Mistake.objects.update(due=soon, state=repetition.IN_REVIEW)
    assert drills.number_due(player=player) == Mistake.objects.count() > 0
    Mistake.objects.update(due=soon, state=1)
    assert drills.number_due(player=player) == 0


@pytest.mark.parametrize("cards", [[], ["5H", "6H", "7H"], ["XX"], ["5H", "5H"]])
def test_a_bad_answer_is_explained_at_the_field(
    client: Client, player: Player, cards: list[str]
) -> None:
    reviewed(player)
    due = drills.next_due(player=player)
    assert due is not None
    answer = client.post(f"/drills/{due.pk}/", {"cards": cards})
    assert answer.status_code == 422
    assert b'id="pick-error"' in answer.content
    due.refresh_from_db()
    assert due.asked == 0


def test_an_address_without_an_answer_leads_to_the_questions(
    client: Client, player: Player
) -> None:
    reviewed(player)
    due = drills.next_due(player=player)
    assert due is not None
    for query in ("", "?cards=", "?cards=XX", "?cards=5H+5H"):
        assert client.get(f"/drills/{due.pk}/{query}").headers["Location"] == "/drills/"
        Mistake.objects.update(asked=1)


def test_no_answer_is_shown_before_one_was_given(client: Client, player: Player) -> None:
    reviewed(player)
    due = drills.next_due(player=player)
    assert due is not None
    first = options(drills.question(mistake=due).view)[0].cards
    peek = client.get(f"/drills/{due.pk}/", {"cards": names(first)})
    assert peek.headers["Location"] == "/drills/"


def test_players_cannot_read_or_answer_others_mistakes(client: Client, player: Player) -> None:
    other = create_guest()
    reviewed(other)
    mistake = Mistake.objects.first()
    assert mistake is not None
    answer = client.post(f"/drills/{mistake.pk}/", {"cards": "5H"}, follow=True)
    assert answer.redirect_chain == [("/drills/", 302)]
    assert answer.context["score"].number == 0
    assert not Mistake.objects.exclude(asked=0).exists()
    assert client.get("/drills/").context["score"].number == 0


@pytest.mark.parametrize("gone", ["before the answer", "while it is judged"])
def test_a_question_that_has_gone_leads_on_to_the_next_one(
    client: Client, player: Player, gone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewed(player)
    due = drills.next_due(player=player)
    assert due is not None
    number, cards = due.pk, drills.question(mistake=due).then
    if gone == "before the answer":
        due.delete()
    else:
        judged = reviews.judge_answer

        def judge_late(**about: Any) -> Item:
            Mistake.objects.filter(pk=number).delete()
            return judged(**about)

        monkeypatch.setattr(drills, "judge_answer", judge_late)
    answer = client.post(f"/drills/{number}/", {"cards": names(cards)}, follow=True)
    assert answer.status_code == 200
    assert "That question is no longer there." in answer.content.decode()
    assert answer.redirect_chain == [("/drills/", 302)]


def test_an_answer_after_the_session_has_ended_leads_to_the_log_in(
    player: Player,
) -> None:
    reviewed(player)
    mistake = Mistake.objects.first()
    assert mistake is not None
    late = Client().post(f"/drills/{mistake.pk}/", {"cards": "5H"}, follow=True)
    assert late.redirect_chain == [("/accounts/login/?next=/drills/", 302)]
    assert "logged out, so nothing was saved" in late.content.decode()


def test_opening_drills_requests_missing_reviews(
    client: Client, player: Player, requested_reviews: list[int]
) -> None:
    match = cast(Match, played_match(player))
    assert "Your latest matches are being reviewed." in client.get("/drills/").content.decode()
    assert requested_reviews == [match.pk]
    review_now(match.pk)
    requested_reviews.clear()
    client.get("/drills/")
    assert requested_reviews == []


def test_a_visitor_is_told_where_questions_come_from(client: Client) -> None:
    assert "Mistakes from your matches will appear here." in client.get("/drills/").content.decode()


def test_a_guests_mistakes_move_to_their_account(player: Player) -> None:
    reviewed(player)
    before = drills.score(player=player)
    account = Player.objects.create_user("hoyle", password="four aces and a king")
    merge_guest(guest=player, account=account)
    assert drills.score(player=account) == before
    assert before.number > 0


# --- habits ------------------------------------------------------------------------------------


def with_reasons(player: Player, *kinds: str) -> list[Mistake]:
    """Give a player's mistakes these reasons, each with a loss of 0.05; the others none."""
    rows = list(Mistake.objects.filter(seat__player=player).order_by("pk"))
    assert len(rows) >= len(kinds)
    Mistake.objects.update(reason="", loss=0.05)
    for row, kind in zip(rows, kinds, strict=False):
        row.reason, row.loss = kind, 0.05
        row.save(update_fields=["reason", "loss"])
    return rows[: len(kinds)]


def test_a_review_stores_the_reason_of_each_mistake(player: Player) -> None:
    match = reviewed(player)
    items = {
        item.sequence: item for item in map(Item.from_dict, Review.objects.get(match=match).items)
    }
    rows = list(Mistake.objects.filter(seat__player=player))
    assert rows
    for row in rows:
        why = items[row.sequence].reason
        assert why is not None
        assert row.reason == why.kind


def test_the_costliest_habit_is_the_one_that_lost_most_in_the_last_weeks(player: Player) -> None:
    match = reviewed(player)
    with_reasons(player, "gives_five", "gives_pair", "gives_crib", "breaks_pair", "opens_run")
    found = habits.costliest(player=player)
    assert found is not None
    assert (found.habit, found.mistakes) == ("their_crib", 3)
    assert found.loss == pytest.approx(0.15)
    match.finished_at = timezone.now() - habits.WITHIN - timedelta(minutes=1)
    match.save(update_fields=["finished_at"])
    assert habits.costliest(player=player) is None


def test_two_mistakes_are_no_habit(player: Player) -> None:
    reviewed(player)
    with_reasons(player, "gives_five", "gives_pair", "breaks_pair")
    assert habits.costliest(player=player) is None


def test_a_habit_can_be_practised_alone(client: Client, player: Player) -> None:
    reviewed(player)
    rows = with_reasons(player, "gives_five", "breaks_pair", "gives_crib")
    assert "Practising one habit" not in client.get("/drills/").content.decode()
    shown = client.get("/drills/?habit=pairs")
    assert shown.context["mistake"] == rows[1]
    assert "Practising one habit: breaking up pairs." in shown.content.decode()
    best = options(drills.question(mistake=rows[1]).view)[0].cards
    answer = client.post(shown.context["action"], {"cards": names(best)}, follow=True)
    assert 'href="/drills/?habit=pairs"' in answer.content.decode()
    done = client.get("/drills/?habit=pairs").content.decode()
    assert "Done for now." in done
    assert client.get("/drills/?habit=nonsense").context["habit"] == ""


def test_a_habit_without_mistakes_is_not_praised_while_there_are_others(
    client: Client, player: Player
) -> None:
    reviewed(player)
    with_reasons(player, "gives_five")
    page = client.get("/drills/?habit=pairs").content.decode()
    assert "No mistakes of this habit: breaking up pairs." in page
    assert "Well played!" not in page
    Mistake.objects.all().delete()
    assert "Well played!" in client.get("/drills/?habit=pairs").content.decode()


def test_review_and_drills_name_the_costliest_habit(client: Client, player: Player) -> None:
    match = reviewed(player)
    with_reasons(player, "gives_five", "gives_pair", "gives_crib")
    page = client.get(f"/matches/{match.public_id}/review/").content.decode()
    assert "Your costliest habit in 30 days" in page
    assert "/drills/?habit=their_crib" in page
    Mistake.objects.update(due=timezone.now() + timedelta(days=1))
    assert "/drills/?habit=their_crib" in client.get("/drills/").content.decode()
    other = Client().get(f"/matches/{match.public_id}/review/")
    assert "costliest habit" not in other.content.decode()
