"""What a reader is told whose link to a challenge, tournament, team or club leads nowhere.

It depends on the address only, so the answer is the same whether there is something that the reader
may not see, or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True, slots=True)
class DeadLink:
    """A kind of link that leads nowhere.

    Attributes:
        what: says which kind of link it is.
        why: the likely reason, and what to do.
        to: the name of the page that helps.
        button: what its button says.
    """

    what: Text
    why: Text
    to: str
    button: Text


_CHALLENGE = DeadLink(
    what=_("This link leads to no challenge"),
    why=_("It may be incomplete. Ask the player who sent it for the whole link."),
    to="ratings:challenge_new",
    button=_("Challenge a friend"),
)
_INVITATION = DeadLink(
    what=_("This invitation to a tournament doesn't work"),
    why=_("The link may be incomplete. Ask the organiser for the whole link."),
    to="ratings:events",
    button=_("Tournaments"),
)
_TOURNAMENT = DeadLink(
    what=_("This link leads to no tournament that you can see"),
    why=_("It may be incomplete. Only members see a club's tournaments. If you're one, log in."),
    to="ratings:events",
    button=_("Tournaments"),
)
_TEAM = DeadLink(
    what=_("This invitation to a team doesn't work"),
    why=_("The team may have withdrawn, or the link is incomplete. Ask a player of the team."),
    to="ratings:events",
    button=_("Tournaments"),
)
_LEAGUE = DeadLink(
    what=_("This link leads to no league"),
    why=_("It may be incomplete. Ask the organiser for the whole link."),
    to="ratings:events",
    button=_("Tournaments"),
)
_NIGHT = DeadLink(
    what=_("This link leads to no club night"),
    why=_("The night may be cancelled, or the link is incomplete. Ask for the whole link."),
    to="ratings:clubs",
    button=_("Clubs"),
)
_CLUB = DeadLink(
    what=_("This link leads to no club that you can see"),
    why=_("Only members see a club's page. If you're one, log in. It may also have closed."),
    to="ratings:clubs",
    button=_("Find a club"),
)

LINKS = {
    "/challenge/": _CHALLENGE,
    "/tournaments/leagues/team/": _TEAM,
    "/tournaments/leagues/": _LEAGUE,
    "/tournaments/invited/": _INVITATION,
    "/tournaments/": _TOURNAMENT,
    "/clubs/night/": _NIGHT,
    "/clubs/": _CLUB,
}
"""How addresses of each kind begin; the first that fits decides."""


def dead_link(path: str) -> DeadLink | None:
    """Return which kind of link an address is, if its page says more than that it was not found."""
    return next((link for start, link in LINKS.items() if path.startswith(start)), None)
