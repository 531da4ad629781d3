"""The moderators' pages, which others do not find; see `games.safety.cases` for what is hidden."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.models import Appeal, BanProposal, ModerationEntry, Player, Report
from games.pages.moderation.forms import LIFTING, TIMED, ActionForm, NoteForm, ReplyForm
from games.pages.site.error_messages import show_errors
from games.pages.site.visitor import player_of
from games.safety import appeals, cases, moderation, proposals

LOG_PAGE = 50
"""Number of actions on a page of the log."""

View = Callable[Concatenate[HttpRequest, Player, ...], HttpResponse]


def for_moderators(view: View) -> Callable[..., HttpResponse]:
    """Pass the moderator on to a view; for everybody else the page does not exist."""

    @never_cache
    @wraps(view)
    def checked(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        player = player_of(request)
        if player is None or not moderation.is_moderator(player):
            raise Http404
        return view(request, player, **kwargs)

    return checked


@require_safe
@for_moderators
def queue(request: HttpRequest, reader: Player) -> HttpResponse:
    """Show what waits: reports by player, appeals, and proposed bans."""
    return render(request, "games/moderation/queue.html", {"queue": cases.queue(reader=reader)})


@require_safe
@for_moderators
def log(request: HttpRequest, reader: Player) -> HttpResponse:
    """Show all actions, newest first."""
    page = Paginator(cases.log(), LOG_PAGE).get_page(request.GET.get("page"))
    players = {row.player_id for row in page if row.player_id is not None}
    hidden = cases.hidden_texts(reader=reader, players=players)
    own = moderation.own_accounts(moderator=reader)
    rows = [
        (entry, hidden.hide(entry), entry.player and moderation.is_among(own, entry.player))
        for entry in page
    ]
    return render(request, "games/moderation/log.html", {"page": page, "rows": rows})


@require_safe
@for_moderators
def case(request: HttpRequest, reader: Player, public_id: str) -> HttpResponse:
    """Show the case of a player."""
    return _case(request, reader, _player(reader, public_id), ActionForm())


@require_POST
@for_moderators
def act(request: HttpRequest, reader: Player, public_id: str) -> HttpResponse:
    """Take an action on a player; a ban for good is only proposed."""
    player, form = _player(reader, public_id), ActionForm(request.POST)
    if form.is_valid():
        try:
            done = _act(reader, player, form)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, done)
            return redirect("games:case", player.public_id)
    return _case(request, reader, player, form, status=422)


def _act(reader: Player, player: Player, form: ActionForm) -> str:
    """Take the action of a valid form; return what to say about it."""
    action, days, reason = form.cleaned_data["action"], form.length, form.reason_for(player)
    first = Report.objects.filter(about=player, closed_at__isnull=True).order_by("pk").first()
    if action == ModerationEntry.Action.BAN and days is None:
        proposals.propose_ban(moderator=reader, player=player, reason=reason, report=first)
        return _("Proposed. Another moderator must confirm.")
    moderation.moderate(
        moderator=reader, player=player, action=action, reason=reason, days=days, report=first
    )
    if form.cleaned_data["close"] and action not in LIFTING:
        moderation.close_reports(about=player, moderator=reader, outcome=Report.Outcome.ACTED)
    return _("Done. The player sees a message.")


@require_POST
@for_moderators
def dismiss(request: HttpRequest, reader: Player, public_id: str) -> HttpResponse:
    """Close the open reports about a player without an action."""
    player = _player(reader, public_id)
    moderation.close_reports(about=player, moderator=reader, outcome=Report.Outcome.NO_BREACH)
    messages.success(request, _("Closed. Players who reported it learn that no rule was broken."))
    return redirect("games:moderation")


@require_POST
@for_moderators
def note(request: HttpRequest, reader: Player, public_id: str) -> HttpResponse:
    """Add a note about a player."""
    player, form = _player(reader, public_id), NoteForm(request.POST)
    if not form.is_valid():
        _tell_faults(request, form, empty=_("Write something first."))
        return _case(request, reader, player, ActionForm(), note=form, status=422)
    try:
        moderation.write_note(moderator=reader, player=player, **form.cleaned_data)
    except ValidationError as error:
        show_errors(request, error)
        return redirect("games:moderation")
    messages.success(request, _("Note saved."))
    return redirect("games:case", player.public_id)


@require_POST
@for_moderators
def look(request: HttpRequest, reader: Player, pk: int) -> HttpResponse:
    """Show a report's texts to a moderator, who is never dealt its cards from then on."""
    report = get_object_or_404(Report.objects.select_related("about", "match"), pk=pk)
    _check_not_own(reader, report.about)
    cases.look(reader=reader, report=report)
    return redirect("games:case", report.about.public_id)


@require_POST
@for_moderators
def reply(request: HttpRequest, reader: Player, pk: int) -> HttpResponse:
    """Reply to an appeal."""
    appeal = get_object_or_404(Appeal.objects.select_related("entry__player"), pk=pk)
    _check_not_own(reader, appeal.entry.player)
    form = ReplyForm(request.POST)
    try:
        if form.is_valid():
            appeals.reply(moderator=reader, appeal=pk, **form.cleaned_data)
            messages.success(request, _("Reply sent."))
        else:
            _tell_faults(request, form, empty=_("Write a reply. The player will read it."))
            if appeal.entry.player is not None:
                about, unsent = appeal.entry.player, (appeal.entry_id, form.data.get("text", ""))
                return _case(request, reader, about, ActionForm(), unsent=unsent, status=422)
    except ValidationError as error:
        show_errors(request, error)
    return _back(appeal.entry.player)


@require_POST
@for_moderators
def decide(request: HttpRequest, reader: Player, pk: int) -> HttpResponse:
    """Confirm a proposed ban, or turn it down."""
    proposal = get_object_or_404(BanProposal.objects.select_related("player"), pk=pk)
    _check_not_own(reader, proposal.player)
    confirmed = request.POST.get("decision") == "confirm"
    try:
        proposals.decide_ban(moderator=reader, proposal=pk, confirmed=confirmed)
    except ValidationError as error:
        show_errors(request, error)
    else:
        messages.success(request, _("Account closed.") if confirmed else _("Turned down."))
    return _back(proposal.player)


def _tell_faults(request: HttpRequest, form: Form, *, empty: str) -> None:
    """Show what is wrong with a form for a text; ``empty`` if there is none.

    Browsers count a line break as one character, so that a text may be too long here.
    """
    if not form.data.get("text", "").strip():
        messages.error(request, empty)
        return
    for errors in form.errors.values():
        for text in errors:
            messages.error(request, str(text))


def _back(player: Player | None) -> HttpResponse:
    if player is None:
        return redirect("games:moderation")
    return redirect("games:case", player.public_id)


def _player(reader: Player, public_id: str) -> Player:
    player = get_object_or_404(Player.objects.select_related("owner"), public_id=public_id)
    _check_not_own(reader, player)
    return player


def _check_not_own(reader: Player, player: Player | None) -> None:
    """Raise Http404 for a moderator's own case, which others handle."""
    if player is not None and moderation.is_own(moderator=reader, player=player):
        raise Http404


def _case(
    request: HttpRequest,
    reader: Player,
    player: Player,
    form: ActionForm,
    *,
    note: NoteForm | None = None,
    unsent: tuple[int, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return the page of a case.

    Args:
        request: the moderator's request.
        reader: the moderator.
        player: whom the case is about.
        form: the form for an action.
        note: the form of a note that was refused.
        unsent: the entry (primary key) whose appeal got a reply that was refused, and that reply.
        status: the HTTP status.
    """
    reports = cases.reports_about(player=player, reader=reader)
    hidden = cases.hidden_texts(reader=reader, players={player.pk})
    entries = [
        (entry, hidden.hide(entry), _may_reply(reader, entry))
        for entry in cases.log(player=player)[:LOG_PAGE]
    ]
    reporters = {view.report.reporter for view in reports if view.report.reporter is not None}
    proposal = (
        BanProposal.objects.filter(player=player, decided_at__isnull=True)
        .select_related("proposed_by")
        .first()
    )
    history, *others = cases.histories(
        players=[player, *sorted(reporters - {player}, key=lambda each: each.pk)]
    )
    context = {
        "shown": player,
        "reader": reader,
        "may_act": moderation.can_be_moderated(player),
        "reports": reports,
        "open": [view for view in reports if view.report.closed_at is None],
        "history": history,
        "reporters": others,
        "entries": entries,
        "notes": [(note, hidden.hide(note)) for note in cases.notes(player=player)],
        "proposal": proposal,
        "proposal_hidden": proposal is not None and hidden.hide(proposal),
        "form": form,
        "timed": sorted(TIMED),
        "note_form": note or NoteForm(),
        "unsent": unsent,
    }
    return render(request, "games/moderation/case.html", context, status=status)


def _may_reply(reader: Player, entry: ModerationEntry) -> bool:
    appeal: Appeal | None = getattr(entry, "appeal", None)
    if appeal is None or appeal.replied_at is not None:
        return False
    return appeals.may_reply(moderator=reader, appeal=appeal)
