"""The page for a link to a challenge, tournament, team or club that leads nowhere.

It depends on the address only, so the answer is the same whether there is something that the reader
may not see, or nothing.
"""

from __future__ import annotations

import re
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
    what=_("This link doesn't lead to a challenge"),
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
    what=_("This link doesn't lead to a tournament that you can see"),
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
    what=_("This link doesn't lead to a league"),
    why=_("It may be incomplete. Ask the organiser for the whole link."),
    to="ratings:events",
    button=_("Tournaments"),
)
_LEAGUE_INVITATION = DeadLink(
    what=_("This invitation to a league doesn't work"),
    why=_("The link may be incomplete. Ask the organiser for the whole link."),
    to="ratings:events",
    button=_("Tournaments"),
)
_NIGHT = DeadLink(
    what=_("This link doesn't lead to a club night"),
    why=_("The night may be cancelled, or the link is incomplete. Ask for the whole link."),
    to="ratings:clubs",
    button=_("Clubs"),
)
_CLUB = DeadLink(
    what=_("This link doesn't lead to a club that you can see"),
    why=_("Only members see a club's page. If you're one, log in. It may also have closed."),
    to="ratings:clubs",
    button=_("Find a club"),
)

LINKS = {
    "/challenge/X/": _CHALLENGE,
    "/tournaments/leagues/invited/X/": _LEAGUE_INVITATION,
    "/tournaments/leagues/team/X/": _TEAM,
    "/tournaments/leagues/X/": _LEAGUE,
    "/tournaments/invited/X/": _INVITATION,
    "/tournaments/X/": _TOURNAMENT,
    "/clubs/night/X/": _NIGHT,
    "/clubs/X/": _CLUB,
}
"""The addresses of each kind, with X for any text or none; the first that fits decides.

Further addresses below them have other reasons to lead nowhere.
"""

_PATTERNS = [(re.compile(path.replace("X/", "[^/]*/?")), link) for path, link in LINKS.items()]


def dead_link(path: str) -> DeadLink | None:
    """Return which kind of link an address is, if its page says more than that it was not found."""
    return next((link for pattern, link in _PATTERNS if pattern.fullmatch(path)), None)
