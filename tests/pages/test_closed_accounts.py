"""Pages of players whose account is closed or deleted."""

import pytest
from django.utils import timezone

from games.models import Friendship, Player
from tests.support.people import as_

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("friends", [False, True])
def test_the_page_of_a_closed_account_offers_nothing_that_would_be_refused(friends: bool) -> None:
    viewer, other = Player.objects.create_user("Ann"), Player.objects.create_user("Bob")
    if friends:
        Friendship.objects.create(asker=viewer, asked=other, accepted_at=timezone.now())
    browser, page = as_(viewer), f"/players/{other.public_id}/"
    offers = ["Invite to a table" if friends else "Send friend request", ">Report<"]
    text = browser.get(page).content.decode()
    assert all(offer in text for offer in offers)
    Player.objects.filter(pk=other.pk).update(is_active=False)
    text = browser.get(page).content.decode()
    assert not any(offer in text for offer in offers)
    assert ">Block<" in text
