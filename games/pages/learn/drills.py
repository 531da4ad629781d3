"""Pages of drills: a player's own mistakes as questions, all or those of one habit."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.analysis.review import Item, judge
from games.analysis.review_verdicts import SOUND
from games.learn import drills as service
from games.learn import habits, repetition, review_jobs
from games.learn.reviews import judge_answer
from games.models import Mistake, Player
from games.ops import true_time
from games.pages.learn import pick
from games.pages.learn import review_sheet as sheet
from games.pages.learn import review_words as words
from games.pages.site.visitor import log_in_first, player_of
from games.text.reason_sentences import HABITS
from games.wire.refusals import Refused


@require_safe
@never_cache
def drills(request: HttpRequest) -> HttpResponse:
    """Ask the question that is due, or say when the next one will be."""
    player = player_of(request)
    if player is None:
        return render(request, "games/learn/drills.html", {"score": None})
    unseen = service.without_review(player=player)
    for match in unseen:
        review_jobs.request_review(match)
    habit = habits.parse(request.GET.get("habit", ""))
    due = service.next_due(player=player, habit=habit)
    if due is not None:
        mistake = service.mistake_of(pk=due.pk, player=player)
        if mistake is not None:
            return _ask(request, player, mistake)
    context = {
        "score": service.score(player=player, habit=habit),
        "next_time": service.next_time(player=player, habit=habit),
        "unseen": len(unseen),
        "has_mistakes": service.score(player=player).number > 0,
        "has_played": service.has_finished_a_match(player),
        "costliest": None if habit else words.costliest(player),
        **_habit(request),
    }
    return render(request, "games/learn/drills.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the answer in the address, judged; a POST is an answer. Visitors log in first."""
    player = player_of(request)
    if player is None:
        return log_in_first(request, "games:drills" if request.method == "POST" else None)
    mistake = service.mistake_of(pk=pk, player=player)
    if mistake is None:
        return _lead_on(request)
    asked = service.question(mistake=mistake)
    if request.method == "POST":
        return _take(request, player, asked)
    if not mistake.asked:  # the address would show the best choice before any answer
        return redirect(_next(request))
    try:
        item = judge_answer(view=asked.view, cards=pick.cards_in(request.GET))
    except Refused:
        return redirect(_next(request))
    return _show(request, player, asked, item)


def _take(request: HttpRequest, player: Player, asked: service.Question) -> HttpResponse:
    """Store an answer, and lead to it."""
    try:
        item = service.answer(asked=asked, cards=pick.cards_of(request))
    except Refused as cause:
        return _ask(request, player, asked.mistake, error=cause.message)
    except Mistake.DoesNotExist:  # at this moment
        return _lead_on(request)
    shown = _habit(request)["habit"]
    more = {"habit": shown} if shown else {}
    return redirect(pick.answer_address(request.path, item.chosen, **more))


def _show(
    request: HttpRequest, player: Player, asked: service.Question, item: Item
) -> HttpResponse:
    mistake, before = asked.mistake, judge(asked.view, asked.then)
    again = repetition.asked_from(mistake)
    match = mistake.seat.match
    names = [row.shown_name or "–" for row in match.seats.select_related("player")]
    habit = habits.parse(request.GET.get("habit", ""))
    context: dict[str, Any] = {
        "mistake": mistake,
        "again": again if again > true_time.now() else None,  # past: the answer is an old one
        "score": service.score(player=player, habit=habit),
        "line": sheet.decision(item, asked.view, names=names, match=match),
        "well": item.verdict in SOUND,
        "options": pick.every_option(asked.view, item),
        "then": words.names_of(before.chosen),
        "then_verdict": words.VERDICTS[before.verdict],
        "same": set(before.chosen) == set(item.chosen),
        "then_replay": reverse(
            "games:replay_step",
            args=[match.public_id, asked.view.game, asked.view.hand, mistake.sequence],
        ),
        "match": match,
        **_habit(request),
        **pick.question(asked.view),
    }
    return render(request, "games/learn/drill_answer.html", context)


def _lead_on(request: HttpRequest) -> HttpResponse:
    """Lead from a question that has gone, as with a new review of its match, to the next one."""
    messages.info(request, _("That question is no longer there."))
    return redirect(_next(request))


def _next(request: HttpRequest) -> str:
    """Return the address of the next question."""
    shown = _habit(request)["habit"]
    return reverse("games:drills") + (f"?habit={shown}" if shown else "")


def _habit(request: HttpRequest) -> dict[str, Any]:
    """Return the habit that the address asks for, and its name; "" for none."""
    habit = habits.parse(request.GET.get("habit", ""))
    return {"habit": habit or "", "habit_name": HABITS[habit] if habit else ""}


def _ask(
    request: HttpRequest, player: Player, mistake: Mistake, *, error: str = ""
) -> HttpResponse:
    asked = service.question(mistake=mistake)
    shown = _habit(request)
    query = f"?habit={shown['habit']}" if shown["habit"] else ""
    context = {
        "mistake": mistake,
        "match": mistake.seat.match,
        "score": service.score(player=player, habit=shown["habit"] or None),
        "error": error,
        "action": reverse("games:drill_answer", args=[mistake.pk]) + query,
        **shown,
        **pick.question(asked.view),
    }
    return render(request, "games/learn/drill.html", context, status=422 if error else 200)
