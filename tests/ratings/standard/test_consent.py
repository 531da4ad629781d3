"""Consent: a private match's cards are dealt to others, and its players shown, as they allow."""

from __future__ import annotations

import itertools

import pytest
from django.test import Client

from games.archive import sharing
from games.engine.state import Ruleset
from games.models import Match, Player
from games.people.accounts import create_guest
from games.tables.rematches import make_rematch
from games.tables.tables import create_match, join_match
from ratings.models import Attempt, Play, StandardGame
from ratings.rating.results import collect
from ratings.standard import access, catalogue
from tests.support.people import as_
from tests.support.standard_tables import people, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards")]

NAMED, GUEST, NEVER = Player.Sharing.NAMED, Player.Sharing.GUEST, Player.Sharing.NEVER


def set_sharing(choice: str, *players: Player) -> None:
    Player.objects.filter(pk__in=[player.pk for player in players]).update(sharing=choice)


def private_match(ann: Player, bob: Player, choice: str | None = None) -> Match:
    """Play a match by invitation to its end, and collect its result."""
    match = create_match(creator=ann, ruleset=Ruleset(first_dealer=0), sharing=choice)
    join_match(player=bob, invite=match.invite)
    play_on(match)
    collect(match=match.pk)
    match.refresh_from_db()
    return match


def played_after(match: Match, players: list[Player]) -> StandardGame:
    """Let others play the standard game that a match became."""
    game = Play.objects.get(match=match).standard_game
    again = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(again, ("nora", "alfie"))
    collect(match=again.pk)
    return game


def traveller(reader: Player, game: StandardGame) -> str:
    answer = as_(reader).get(f"/standard/{game.pk}/")
    assert answer.status_code == 200
    return answer.content.decode().split("<main")[1]


def test_by_default_players_of_a_private_match_are_guests_without_a_replay() -> None:
    ann, bob, cat, dan = people(4)
    match = private_match(ann, bob)
    game = played_after(match, [cat, dan])
    page = traveller(cat, game)
    assert "a guest" in page
    for hidden in (ann.name, bob.name, match.public_id):
        assert hidden not in page
    for path in ("", "replay.json", "1.1/", "record.jsonl", "halscrib.txt"):
        assert as_(cat).get(f"/matches/{match.public_id}/{path}").status_code == 404
    assert ann.name in traveller(ann, game), "she knows who sat at her own table"
    assert bob.name in traveller(ann, game)
    assert cat.name in traveller(ann, game), "a ranked game is played by name"


def test_names_and_replay_need_the_consent_of_all_and_follow_the_settings() -> None:
    ann, bob, cat, dan = people(4)
    set_sharing(NAMED, ann, bob)
    match = private_match(ann, bob, NAMED)
    game, replay = played_after(match, [cat, dan]), f"/matches/{match.public_id}/"
    page = traveller(cat, game)
    assert ann.name in page
    assert bob.name in page
    assert f'href="{replay}"' in page
    assert as_(cat).get(replay).status_code == 200

    set_sharing(GUEST, bob)
    page = traveller(cat, game)
    assert ann.name in page
    assert bob.name not in page
    assert "a guest" in page
    assert replay not in page
    assert as_(cat).get(replay).status_code == 404
    assert as_(bob).get(replay).status_code == 200


@pytest.mark.parametrize("refuses", ["table", "player"])
def test_a_refused_private_match_becomes_no_standard_game(refuses: str) -> None:
    ann, bob = people(2)
    if refuses == "player":
        set_sharing(NEVER, bob)
    private_match(ann, bob, NEVER if refuses == "table" else NAMED)
    assert not StandardGame.objects.exists()
    assert not Play.objects.exists()


@pytest.mark.usefixtures("all_are_established")
def test_a_later_refusal_takes_an_earlier_match_out_of_play() -> None:
    ann, bob, cat, dan, eve, fay = people(6)
    match = private_match(ann, bob)
    game = played_after(match, [cat, dan])
    assert catalogue._pool(2).filter(pk=game.pk).exists()
    attempt = Attempt.objects.get(player=cat)
    other = Attempt.objects.get(play__match=match, seat=attempt.seat)

    set_sharing(NEVER, ann)
    assert not catalogue._pool(2).filter(pk=game.pk).exists()
    assert catalogue.choose_game(players=[eve, fay], in_background=False) != game
    page = traveller(cat, game)
    assert "a guest" not in page
    assert other.player.name not in page
    catalogue.close(game=game)
    game.refresh_from_db()
    assert not access.cards_are_public(game)
    assert match.pk in access.secret_matches([match.pk])
    assert Client().get(f"/standard/{game.pk}/verify/deals.txt").status_code == 404
    assert as_(ann).get(f"/matches/{match.public_id}/replay.json").status_code == 200

    set_sharing(GUEST, ann)
    assert access.cards_are_public(game)
    assert match.pk not in access.secret_matches([match.pk])
    assert "a guest" in traveller(cat, game)


def test_an_open_table_needs_no_consent_since_it_is_played_with_strangers() -> None:
    ann, bob, cat, dan = people(4)
    set_sharing(NEVER, ann, bob)
    match = create_match(creator=ann, ruleset=Ruleset(first_dealer=0), listed=True)
    join_match(player=bob, invite=match.invite)
    play_on(match)
    collect(match=match.pk)
    assert ann.name in (page := traveller(cat, played_after(match, [cat, dan]))) or bob.name in page


def test_the_strictest_choice_decides() -> None:
    for one, other in itertools.product((NAMED, GUEST, NEVER), repeat=2):
        found = sharing.strictest([one, other])
        assert found == (
            NEVER if NEVER in {one, other} else GUEST if GUEST in {one, other} else NAMED
        )


def test_a_table_takes_the_choice_of_its_creator_and_a_rematch_keeps_it() -> None:
    ann, bob = people(2)
    ann.sharing = NEVER
    ann.save()
    assert private_match(ann, bob).sharing == NEVER
    ann.sharing = GUEST
    ann.save()
    match = private_match(ann, bob, NAMED)
    assert make_rematch(match=match).sharing == NAMED


def test_forms_and_pages_of_a_table_say_what_happens_to_the_cards() -> None:
    ann, bob = people(2)
    ann.sharing = NAMED
    ann.save()
    client = as_(ann)
    assert 'value="named"' in client.get("/").content.decode().split('name="sharing"')[1]
    table = client.post("/invite/", {"sharing": "never"})["Location"]
    match = Match.objects.get(public_id=table.split("/")[2])
    assert match.sharing == NEVER
    assert "No one else will play these cards." in client.get(table).content.decode()
    join = f"/join/{match.invite}/"
    for choice, said in (
        (NEVER, "No one else will play these cards."),
        (GUEST, "appear as “a guest”, and they couldn&#x27;t replay your game."),
        (NAMED, "and see your names."),
    ):
        Match.objects.filter(pk=match.pk).update(sharing=choice)
        set_sharing(NAMED, bob)
        assert said in as_(bob).get(join).content.decode()
    set_sharing(GUEST, bob)
    assert "a guest" in as_(bob).get(join).content.decode(), "the reader's setting counts, too"
    answer = client.post("/shown/", {"replays": "watched", "sharing": "never"}, follow=True)
    assert "Saved." in answer.content.decode()
    ann.refresh_from_db()
    assert ann.sharing == NEVER


def test_pages_tell_guests_that_nobody_plays_their_cards_and_nobody_does() -> None:
    ann, cat = people(2)
    posted = create_match(creator=ann, ruleset=Ruleset(first_dealer=0), listed=True, days=3)
    guest, join = create_guest(name="Gus"), f"/join/{posted.invite}/"
    said = "While one of you plays as a guest, no one else will play these cards."
    for reader in (Client(), as_(guest)):
        page = reader.get(join).content.decode()
        assert said in page and "see your names" not in page
    assert "see your names" in as_(cat).get(join).content.decode()

    join_match(player=guest, invite=posted.invite)
    play_on(posted)
    collect(match=posted.pk)
    game = Play.objects.get(match=posted).standard_game
    assert not game.is_open
    assert not catalogue._pool(2).exists()


def test_the_recap_counts_guests_in_the_field_and_names_none_of_them() -> None:
    ann, bob, cat, dan = people(4)
    private = private_match(ann, bob)
    game = played_after(private, [cat, dan])
    for reader in (cat, dan):
        own = Attempt.objects.select_related("play__match").get(player=reader)
        match = own.play.match
        assert match is not None
        for path in (
            f"/matches/{match.public_id}/recap/",
            f"/standard/{game.pk}/result/{match.public_id}/",
        ):
            page = as_(reader).get(path).content.decode().split("<main")[-1]
            others = Attempt.objects.filter(standard_game=game, seat=own.seat).exclude(pk=own.pk)
            assert others.filter(player__in=[ann, bob]).count() == 1
            assert page.count('class="field-dot"') == others.count()
            for hidden in (ann.name, bob.name, private.public_id):
                assert hidden not in page
