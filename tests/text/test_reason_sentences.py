"""Sentences of reasons: one for each kind, with its own cards, ranks and numbers."""

from __future__ import annotations

from typing import get_args

import pytest
from django.utils.translation import override

from games.analysis.reasons import TEN_CARDS, Habit, Kind, Reason
from games.engine.cards import parse_cards
from games.text.reason_sentences import HABITS, SENTENCES, sentence


def test_every_kind_and_every_habit_has_words() -> None:
    assert set(SENTENCES) == set(get_args(Kind))
    assert set(HABITS) == set(get_args(Habit))


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_no_sentence_shows_a_placeholder(language: str) -> None:
    with override(language):
        for kind in SENTENCES:
            text = sentence(Reason(kind, parse_cards("5HTD"), TEN_CARDS, 4))
            assert "%" not in text
            assert text.endswith(".")


def test_cards_ranks_and_numbers_are_named() -> None:
    with override("en"):
        assert sentence(Reason("breaks_pair", rank=4)) == "This breaks up the pair of fives."
        run = Reason("breaks_run", parse_cards("9HTDJS"))
        assert sentence(run) == "This breaks up the run 9♥ 10♦ J♠."
        opened = Reason("opens_fifteen", rank=TEN_CARDS)
        assert sentence(opened) == "This lets ten-cards make fifteen."
        score = Reason("score_now", number=4)
        assert sentence(score) == "Too cautious: they need 4 and count first, so score now."
    assert sentence(None) == ""
