"""Pages of the daily game and of challenges."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Match, Player
from ratings.models import Attempt, Play
from ratings.rating.results import collect
from ratings.standard import catalogue, challenge, daily, daily_standings, field
from tests.support.people import as_
from tests.support.standard_tables import cards_shown, people, play_on, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday", "same_cards")]


def test_a_player_whose_account_is_closed_is_no_leader_of_the_day() -> None:
    ann, bob = people(2)
    for player in (ann, bob):
        match = daily.begin(player=player)
        play_on(match)
        collect(match=match.pk)
    Attempt.objects.filter(player=ann).update(counted=120.0)
    Player.objects.filter(pk=ann.pk).update(is_active=False)
    game = daily_standings.game_of_day(day=daily.today())
    assert game is not None
    shown = {
        attempt.player: (place, attempt) for place, attempt in daily_standings.leaders(game=game)
    }
    assert ann not in shown
    place, attempt = shown[bob]
    margins = field.margins_of(game=game, seat=attempt.seat)
    assert place == field.verdict(attempt, margins).place, "as the same page tells bob"


def test_wherever_the_daily_game_begins_its_time_per_decision_is_told_first() -> None:
    """The clock runs at once, and whoever runs out of time loses."""
    (ann,) = people(1)
    told = f"{catalogue.ranked_clock()} seconds per decision."
    assert told in text(Client(), "/")
    assert told in text(as_(ann), "/")
    page = text(as_(ann), "/daily/")
    assert told in page
    assert "If you leave or run out of time, you lose. The computer plays on." in page
    assert "Your first attempt counts for your rating." in page
    assert "Daily games count for your rating, too." in text(as_(ann), "/ranked/games/")


def test_the_button_for_todays_game_deals_todays_game_after_midnight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client, tomorrow = as_(people(1)[0]), daily.today() + timedelta(days=1)
    page = client.get("/daily/").content.decode()
    form = page[page.index('action="/daily/play/"') :].partition("Play today's game")[0]
    sent = dict(re.findall(r'name="(day)" value="([^"]+)"', form))
    monkeypatch.setattr(daily, "today", lambda: tomorrow)
    client.post("/daily/play/", sent)
    play = Play.objects.get(kind=Play.Kind.DAILY)
    assert (play.standard_game.daily, play.exclusion) == (tomorrow, "")


def test_the_daily_page_hides_results_until_the_player_has_played() -> None:
    ann, bob = people(2)
    match = daily.begin(player=ann)
    play_on(match)
    collect(match=match.pk)
    for path in ("/daily/", "/ratings/?list=daily", f"/daily/{timezone.now().date()}/"):
        page = as_(bob).get(path, follow=True).content.decode()
        assert ann.name not in page
    page = text(as_(ann), "/daily/")
    assert ann.name in page
    assert ann.name in text(as_(ann), "/ratings/?list=daily")
    assert "day in a row" in page
    share = re.search(r'<pre class="share"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert share is not None
    assert not re.search(r"\b(10|[2-9TAJQK])[CDHS♣♦♥♠]", share[1])
    assert str(match.public_id) not in share[1]


def test_a_second_attempt_at_the_daily_game_is_practice() -> None:
    ann = people(1)[0]
    client = as_(ann)
    for _ in range(2):
        table = client.post("/daily/play/")["Location"]
        match = Match.objects.get(public_id=table.split("/")[2])
        play_on(match)
        collect(match=match.pk)
    firsts = Attempt.objects.filter(player=ann).order_by("pk").values_list("first", flat=True)
    assert list(firsts) == [True, False]
    page = text(client, "/daily/")
    assert "Practice" not in page
    assert client.get("/daily/play/").status_code == 405


@pytest.mark.parametrize(
    ("hour", "said"), [(20, "3 hours left"), (22, "1 hour left"), (23, "less than an hour left")]
)
def test_the_daily_game_says_how_long_it_is_open(
    monkeypatch: pytest.MonkeyPatch, hour: int, said: str
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 5, 4, hour, 30, tzinfo=UTC))
    assert f" · {said}<" in text(Client(), "/daily/")


def test_a_challenge_that_is_full_says_so_instead_of_offering_a_game() -> None:
    game = challenge.make()
    address = f"/challenge/{game.invite}/"
    assert "Play this game" in text(Client(), address)
    ann, bob = people(2)
    under_way = challenge.begin(player=ann, invite=game.invite)
    catalogue.close(game=game)
    page = text(as_(bob), address)
    assert "Closed: no one else will get these cards." in page
    assert "Play this game" not in page
    assert '<a class="button button-big" href="/challenge/">' in page
    assert f'href="/t/{under_way.public_id}/"' in text(as_(ann), address)


def test_a_challenge_is_compared_once_both_have_played() -> None:
    ann, bob = people(2)
    path = as_(ann).post("/challenge/make/", {"seat": "1"})["Location"]
    for player in (ann, bob):
        client = as_(player)
        assert cards_shown(text(client, path)) == 0
        assert ann.name not in text(client, path).split("<main")[1]
        table = client.post(path + "play/")["Location"]
        match = Match.objects.get(public_id=table.split("/")[2])
        play_on(match, ("nora", ("alfie", "poppy")[player == bob]))
        collect(match=match.pk)
    page = text(as_(bob), path).split("<main")[1]
    assert ann.name in page
    assert bob.name in page
    assert cards_shown(page) > 0


def test_a_past_day_is_not_among_the_other_days() -> None:
    today = daily.today()
    days = [today - timedelta(days=ago) for ago in (1, 2)]
    for day in days:
        daily.game_of(day=day)
    page = text(Client(), f"/daily/{days[0]}/")
    assert f'href="/daily/{days[0]}/"' not in page.partition('id="archive"')[2]
    assert f'href="/daily/{days[1]}/"' in page
    assert "Other days" in page
    assert "Earlier days" in text(Client(), "/daily/")
