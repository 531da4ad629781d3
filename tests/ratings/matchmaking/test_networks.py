"""Networks of players in the queue: who may be the same person, for dealing and pairing only."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.models import Player
from games.people.accounts import create_guest, merge_guest
from games.safety import export
from games.safety.erasure import erase
from ratings.matchmaking import leavers, linked_accounts, networks, queue
from ratings.models import Leaving, NetworkUse, Play
from ratings.standard import catalogue, identities
from tests.support.standard_tables import people

pytestmark = pytest.mark.django_db

HOME, SAME_STREET, ELSEWHERE = "81.2.69.10", "81.2.69.200", "81.2.70.10"


def enter_from(player: Player, address: str) -> None:
    networks.record_network(player=player, address=address)


class TestDigest:
    @pytest.mark.parametrize(
        ("one", "other", "same"),
        [
            (HOME, SAME_STREET, True),
            (HOME, ELSEWHERE, False),
            ("2a02:26f7:11:2200::1", "2a02:26f7:11:22ff::9", True),
            ("2a02:26f7:11:2200::1", "2a02:26f7:11:2300::1", False),
        ],
    )
    def test_it_is_the_same_within_a_network_only(self, one: str, other: str, same: bool) -> None:
        assert (networks.digest_of(one) == networks.digest_of(other)) is same

    def test_it_does_not_contain_the_address_and_depends_on_the_sites_key(
        self, settings: Settings
    ) -> None:
        before = networks.digest_of(HOME)
        assert "81.2" not in before
        settings.SECRET_KEY = "another" * 8
        assert networks.digest_of(HOME) != before

    @pytest.mark.parametrize("address", ["127.0.0.1", "192.168.1.20", "10.0.0.5", "::1", "fd00::1"])
    def test_addresses_of_a_local_network_say_nothing(self, address: str) -> None:
        assert networks.digest_of(address) == ""
        enter_from(people(1)[0], address)
        assert not NetworkUse.objects.exists()


class TestRecording:
    def test_entering_the_queue_records_the_network_of_the_visitor(
        self, client: Client, settings: Settings
    ) -> None:
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
        client.force_login(people(1)[0])
        for _ in range(2):
            client.post("/ranked/enter/", {"seats": "2"}, headers={"X-Forwarded-For": HOME})
        assert NetworkUse.objects.get().digest == networks.digest_of(HOME)

    def test_rows_are_deleted_after_thirty_days_by_the_nightly_job(self) -> None:
        one, two = people(2)
        enter_from(one, HOME)
        enter_from(two, HOME)
        month = timezone.now() - networks.KEPT
        NetworkUse.objects.filter(player=one).update(seen_at=month - timedelta(minutes=1))
        NetworkUse.objects.filter(player=two).update(seen_at=month + timedelta(minutes=1))
        said = StringIO()
        call_command("forget_networks", stdout=said)
        assert said.getvalue() == "1 network hashes deleted\n"
        assert NetworkUse.objects.get().player == two

    def test_the_export_names_the_times_and_erasure_deletes_the_rows(self) -> None:
        (one,) = people(1)
        enter_from(one, HOME)
        (row,) = export._files(one)["ratings_networkuse_player"]
        assert "seen_at" in row
        assert "digest" not in row
        erase(player=one)
        assert not NetworkUse.objects.exists()

    def test_a_guest_who_logs_in_keeps_their_networks(self) -> None:
        (one,), guest = people(1), create_guest()
        enter_from(one, HOME)
        enter_from(guest, HOME)
        enter_from(guest, ELSEWHERE)
        merge_guest(guest=guest, account=one)
        assert {row.player_id for row in NetworkUse.objects.all()} == {one.pk}
        assert NetworkUse.objects.count() == 2


class TestDealing:
    def test_identities_of_one_network_are_not_dealt_each_others_games(self) -> None:
        ann, bob, cat, dan, eve, fay = people(6)
        enter_from(ann, HOME)
        enter_from(cat, SAME_STREET)
        enter_from(eve, ELSEWHERE)
        game = catalogue.choose_game(players=[ann, bob])
        catalogue.start_match(game=game, players=[ann, bob], kind=Play.Kind.RANKED)
        assert catalogue.choose_game(players=[cat, dan]).pk != game.pk
        assert catalogue.choose_game(players=[eve, fay]).pk == game.pk

    def test_after_a_week_they_are_strangers_again(self) -> None:
        ann, bob = people(2)
        enter_from(ann, HOME)
        enter_from(bob, HOME)
        assert identities.maybe_same([ann]) == {ann.pk, bob.pk}
        NetworkUse.objects.filter(player=ann).update(
            seen_at=timezone.now() - identities.SAME_NETWORK_FOR
        )
        assert identities.maybe_same([ann]) == {ann.pk}

    def test_a_very_large_network_adds_a_limited_number_of_identities(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(identities, "NEIGHBOURS", 2)
        crowd = people(5)
        for player in crowd:
            enter_from(player, HOME)
        assert len(identities.maybe_same(crowd[:1])) <= 3


class TestTheQueue:
    def test_identities_of_one_network_are_not_paired_with_each_other(self) -> None:
        ann, bob, cat = people(3)
        enter_from(ann, HOME)
        enter_from(bob, SAME_STREET)
        assert queue.enter(player=ann, seats=2).waiting
        assert queue.enter(player=bob, seats=2).waiting
        assert queue.enter(player=cat, seats=2).match

    def test_nothing_else_follows_from_a_common_network(self) -> None:
        ann, bob = people(2)
        enter_from(ann, HOME)
        enter_from(bob, HOME)
        match = catalogue.start_match(
            game=catalogue.make(seats=2), players=people(2, start=5), kind=Play.Kind.RANKED
        )
        for _ in range(3):
            Leaving.objects.create(player=ann, match=match)
            match = catalogue.start_match(
                game=catalogue.make(seats=2),
                players=people(2, start=Player.objects.count() + 9),
                kind=Play.Kind.RANKED,
            )
        assert leavers.status_of(ann).until is not None
        assert leavers.status_of(bob).until is None
        assert linked_accounts.record_device(player=bob, token="x") == []
        assert identities.with_linked([ann]) == {ann.pk}
