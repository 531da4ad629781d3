"""Players' own programs: owners, names, tokens, and the page where they are managed."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client as Browser
from django.utils import timezone, translation

from games.engine.state import Ruleset
from games.models import Player, ProgramToken
from games.people.accounts import create_guest
from games.people.programs import (
    MOST_PROGRAMS,
    authenticate_program,
    create_program,
    new_token,
    revoke_token,
)
from games.tables.tables import create_match, join_match
from games.wire.refusals import Refused


def person(name: str = "Margery") -> Player:
    return Player.objects.create_user(name, password="x")


@pytest.mark.django_db
def test_a_program_is_a_computer_with_an_owner_and_a_token() -> None:
    program, token = create_program(owner=person(), name="Deep Crib")
    assert program.is_computer
    found = authenticate_program(token=token)
    assert found == program
    assert found.owner is not None
    assert found.owner.name == "Margery"
    assert ProgramToken.objects.get().used_at is not None


@pytest.mark.django_db
def test_a_muted_player_names_no_program() -> None:
    """Their own name can't change either."""
    owner = person()
    owner.muted_until = timezone.now() + timedelta(days=1)
    with pytest.raises(ValidationError) as refusal:
        create_program(owner=owner, name="Deep Crib")
    assert refusal.value.code == "muted"


@pytest.mark.django_db
def test_the_page_of_a_program_names_its_owner(client: Browser) -> None:
    program, _token = create_program(owner=person(), name="Deep Crib")
    assert "Margery's program" in client.get(f"/players/{program.public_id}/").content.decode()


@pytest.mark.django_db
def test_the_token_itself_is_not_stored() -> None:
    program, token = create_program(owner=person(), name="Deep Crib")
    row = ProgramToken.objects.values().get()
    stored = {**row, **Player.objects.filter(pk=program.pk).values().get()}
    assert not [name for name, value in stored.items() if token[9:] in str(value)]


@pytest.mark.django_db
def test_a_new_token_replaces_the_old_one_and_revoking_ends_all() -> None:
    program, old = create_program(owner=person(), name="Deep Crib")
    new = new_token(program=program)
    for token in (old, "", "cribbage_"):
        with pytest.raises(Refused) as refused:
            authenticate_program(token=token)
        assert refused.value.code == "bad_token"
    authenticate_program(token=new)
    revoke_token(program=program)
    with pytest.raises(Refused):
        authenticate_program(token=new)


@pytest.mark.django_db
def test_a_banned_owners_program_is_refused() -> None:
    owner = person()
    _, token = create_program(owner=owner, name="Deep Crib")
    owner.is_active = False
    owner.save()
    with pytest.raises(Refused):
        authenticate_program(token=token)


@pytest.mark.django_db
def test_programs_need_an_account_and_are_limited() -> None:
    with pytest.raises(ValidationError):
        create_program(owner=create_guest(), name="Deep Crib")
    owner = person()
    for number in range(MOST_PROGRAMS):
        create_program(owner=owner, name=f"Crib {chr(65 + number)}")
    with pytest.raises(ValidationError) as refused:
        create_program(owner=owner, name="Another")
    assert refused.value.code == "too_many"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["x", "Margery", "MARGERY", "deepcrib"])
def test_a_program_cannot_take_an_existing_name(name: str) -> None:
    owner = person()
    create_program(owner=owner, name="Deep Crib")
    with pytest.raises(ValidationError):
        create_program(owner=owner, name=name)


@pytest.mark.django_db
def test_database_constraints_keep_names_unique_and_owners_to_programs() -> None:
    owner = person()
    program, _ = create_program(owner=owner, name="Deep Crib")
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create_user("Other", name_skeleton=program.name_skeleton)
    with pytest.raises(IntegrityError, match="player_owned_is_computer"), transaction.atomic():
        Player.objects.create(username="g", kind="guest", owner=owner)


@pytest.mark.django_db
def test_a_program_can_join_private_tables_only() -> None:
    owner = person()
    program, _ = create_program(owner=owner, name="Deep Crib")
    listed = create_match(creator=owner, ruleset=Ruleset(), listed=True)
    with pytest.raises(Refused) as refused:
        join_match(player=program, invite=listed.invite)
    assert refused.value.code == "no_programs"
    private = create_match(creator=owner, ruleset=Ruleset())
    join_match(player=program, invite=private.invite)
    seat = private.seats.get(player=program)
    assert not seat.computer, "it makes its own moves, unlike the site's computers"


@pytest.mark.django_db
def test_the_page_with_a_new_token_stays_open_in_another_language(client: Browser) -> None:
    owner = person()
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    program, _ = create_program(owner=owner, name="Deep Crib")
    address = f"/programs/{program.public_id}/token/"
    form = client.post(address).content.decode().partition('class="languages"')[2]
    (back,) = re.findall(r'name="next" value="([^"]+)"', form)
    with translation.override("de"):
        chosen = client.post("/language/", {"language": "de", "next": back})
        assert chosen.headers["Location"] == back
        assert client.get(back).status_code == 200


@pytest.mark.django_db
def test_a_guest_reads_what_programs_are_before_signing_up(client: Browser) -> None:
    signup = "/accounts/signup/?next=/programs/"
    page = client.get("/programs/").content.decode()
    assert "Let your own program play here" in page
    assert f'href="{signup}"' in page
    assert client.post("/programs/", {"name": "Deep Crib"}).headers["Location"] == signup


@pytest.mark.django_db
def test_a_person_can_add_a_program_and_sees_its_token_once(client: Browser) -> None:
    client.force_login(person(), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post("/programs/", {"name": "Deep Crib"})
    (token,) = re.findall(r"cribbage_[\w-]{43}", answer.content.decode())
    assert "no-store" in answer.headers["Cache-Control"]
    assert 'href="/api/asyncapi.json"' in answer.content.decode()
    assert authenticate_program(token=token).name == "Deep Crib"
    assert token not in client.get("/programs/").content.decode()
    program = Player.objects.get(name="Deep Crib")
    again = client.post(f"/programs/{program.public_id}/token/")
    (fresh,) = re.findall(r"cribbage_[\w-]{43}", again.content.decode())
    assert fresh != token
    client.post(f"/programs/{program.public_id}/revoke/")
    assert not ProgramToken.objects.exists()
    assert "token revoked" in client.get("/programs/").content.decode()


@pytest.mark.django_db
def test_players_cannot_access_others_programs(client: Browser) -> None:
    program, token = create_program(owner=person(), name="Deep Crib")
    client.force_login(person("Tom"), backend="django.contrib.auth.backends.ModelBackend")
    for what in ("token", "revoke"):
        assert client.post(f"/programs/{program.public_id}/{what}/").status_code == 404
    assert "Deep Crib" not in client.get("/programs/").content.decode()
    assert authenticate_program(token=token) == program


@pytest.mark.django_db
def test_an_unavailable_name_is_refused_at_its_field(client: Browser) -> None:
    client.force_login(person(), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post("/programs/", {"name": "Margery"})
    assert answer.status_code == 422
    assert answer.context["form"].errors["name"]
