"""Best cards at high stakes, as evidence on a moderators' case: examined by a job, then shown."""

from __future__ import annotations

import pytest

from games.jobs.worker import work_off
from games.models import Player
from ratings.models import Attempt
from ratings.rating.agreement import MAX_EXAMINED, agreement_of, examine
from ratings.rating.evidence import Signal, evidence_about
from ratings.rating.seat_signals import (
    AGREEMENT_ALARM,
    LEAST_HIGH,
    STRONG,
    Agreement,
    agreement_z,
)
from tests.support.moderators import a_moderator, as_player
from tests.support.standard_tables import people, ranked_match


def shown(player: Player) -> Signal | None:
    found = [signal for signal in evidence_about(player=player) if "high stakes" in signal.title]
    return found[0] if found else None


def test_few_replies_say_nothing() -> None:
    assert agreement_z(Agreement(LEAST_HIGH - 1, LEAST_HIGH - 1, 100, 10.0)) is None
    assert agreement_z(Agreement(LEAST_HIGH, LEAST_HIGH, 0, 0.0)) is None


def test_the_expectation_follows_the_other_replies_up_to_a_very_strong_person() -> None:
    strong, weak = Agreement(60, 40, 600, 6.0), Agreement(60, 40, 600, 180.0)
    assert strong.expected == STRONG
    assert weak.expected < 0.5
    assert (agreement_z(strong) or 0.0) < 0.0 < (agreement_z(weak) or 0.0)


def test_who_plays_weakly_but_finds_every_card_that_matters_stands_out() -> None:
    always = agreement_z(Agreement(70, 70, 540, 100.0))
    as_expected = agreement_z(Agreement(70, 40, 540, 100.0))
    strong = agreement_z(Agreement(70, 60, 540, 15.0))
    assert always is not None and as_expected is not None and strong is not None
    assert always > AGREEMENT_ALARM > max(as_expected, strong)


@pytest.mark.django_db
class TestCase:
    @pytest.mark.usefixtures("fixed_cards")
    def test_a_job_examines_the_games_when_a_moderator_opens_the_case(self) -> None:
        ann, bob = people(2)
        ranked_match([ann, bob], levels=("poppy", "nora"))  # a player who gives points away
        page = f"/moderation/players/{ann.public_id}/"
        mo = as_player(a_moderator("Mo"))
        assert "Games still to be examined: 1." in mo.get(page).content.decode()
        work_off()
        assert "still to be examined" not in mo.get(page).content.decode()
        high, best, others, lost = Attempt.objects.get(player=ann).replies or []
        assert 0 <= best <= high < others and lost > 0
        assert Attempt.objects.get(player=bob).replies is None, "only of the player in question"

    def test_only_the_newest_first_attempts_count(self) -> None:
        ann, bob = people(2)
        ranked_match([ann, bob])
        Attempt.objects.filter(player=ann).update(replies=[70, 70, 540, 100.0])
        assert agreement_of(player=ann) == (Agreement(70, 70, 540, 100.0), 0)
        signal = shown(ann)
        assert signal is not None and signal.alarming
        assert "70 of 70" in signal.value
        Attempt.objects.filter(player=ann).update(replies=[70, 40, 540, 100.0])
        signal = shown(ann)
        assert signal is not None and not signal.alarming
        Attempt.objects.filter(player=ann).update(first=False)
        assert shown(ann) is None
        examine(player=ann)
        assert MAX_EXAMINED == 40
