"""Tags that explain words of cribbage where pages first use them, and list all of them."""

from __future__ import annotations

from typing import Any

from django import template

from games.text.glossary import OF_THE_RULES, WORDS, Word

register = template.Library()


@register.inclusion_tag("games/site/_words.html")
def explained(names: str) -> dict[str, Any]:
    """Render a line that opens to say what some words mean, given by name: "pone skunk".

    The same line everywhere: it works by keyboard, by touch and without scripts.
    """
    return {"words": [WORDS[name] for name in names.split()]}


@register.simple_tag
def words_of_the_rules() -> list[Word]:
    """Return the words that the rules explain."""
    return [WORDS[name] for name in OF_THE_RULES]
