"""Moderators and logged-in players, for the tests of safety."""

from django.contrib.auth.models import Permission
from django.test import Client

from games.models import Player
from games.people.accounts import GUEST_BACKEND

PASSWORD = "fifteen-two-4"


def as_player(player: Player) -> Client:
    client = Client()
    client.force_login(player, backend=GUEST_BACKEND)
    return client


def a_moderator(name: str) -> Player:
    player = Player.objects.create_user(name, password=PASSWORD, is_staff=True)
    player.user_permissions.set(Permission.objects.filter(codename="add_moderationentry"))
    return Player.objects.get(pk=player.pk)
