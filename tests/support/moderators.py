"""Moderators and logged-in players, for the tests of safety."""

from django.contrib.auth.models import Permission
from django.test import Client

from games.models import Player
from games.people.accounts import GUEST_BACKEND
from games.safety.moderation import moderate

PASSWORD = "fifteen-two-4"


def as_player(player: Player) -> Client:
    client = Client()
    client.force_login(player, backend=GUEST_BACKEND)
    return client


def a_moderator(name: str) -> Player:
    player = Player.objects.create_user(name, password=PASSWORD, is_staff=True)
    player.user_permissions.set(Permission.objects.filter(codename="add_moderationentry"))
    return Player.objects.get(pk=player.pk)


def ban(player: Player, days: int | None = 7) -> None:
    """Close an account; for good, two moderators would agree."""
    keeper = Player.objects.create_superuser(f"Keeper of {player.pk}", password="fifteen-two-4")
    again = Player.objects.create_superuser(f"Second of {player.pk}", password="fifteen-two-4")
    second = again if days is None else None
    moderate(moderator=keeper, player=player, action="ban", reason="x", days=days, second=second)
