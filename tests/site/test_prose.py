"""The check of the texts' words finds what it should, and nothing in good texts."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import polib
import pytest
from django.conf import settings

from scripts import prose

RULES = prose.rules()


def wrong(words: str, language: str = "en", *, english: str = "", kind: str = "text") -> list[str]:
    """Return the rules that a text breaks."""
    text = prose.Text("django.po:1", language, words, english or words, frozenset({kind}))
    return [finding.rule for finding in RULES.findings(text)]


@pytest.mark.parametrize(
    ("language", "words", "rule"),
    [
        ("en", "Open a table: whoever looks in can sit down.", "“whoever”"),
        ("en", "Ask a member for the link of his.", "“his”"),
        ("en", "Nobody waits for company just now.", "“Nobody”"),
        ("en", "You left ranked games lately.", "“lately”"),
        ("en", "His nobs is one, and his turn is next.", "“his”"),
        ("en", "One for his nob.", "“his”"),
        ("en", "Two cards go to the kitty.", "“kitty”"),
        ("en", "Three wins on end", "“on end”"),
        ("de", "Das gegen den Gegner", "“den Gegner”"),
        ("de", "Das ist das Beste.", "“das Beste”"),
        ("de", "Mit einem Brett und jedem Punkt erklärt", "“Punkt erklärt”"),
        ("de", "Hier sehen Sie das Spiel.", "“Sie”"),
        ("de", "Was das Crib wert ist", "“das Crib”"),
        ("fr", "Les cartes sont données.", "“cartes sont données”"),
        ("fr", "Voulez-vous jouer ?", "“?”"),
        ("fr", "L'ordinateur joue.", "“'”"),
        ("fr", "Votre score: 4", "“:”"),
        ("es", "La computadora juega.", "“computadora”"),
        ("es", "Quieres jugar?", "“Quieres jugar?”"),
        ("es", "Si un jugador se va", "“un jugador”"),
        ("es", "Jugad las mismas cartas.", "“Jugad las”"),
        ("es", "Si recogéis las cartas, es el recuento.", "“recogéis”"),
        ("es", "Quedasteis en empate.", "“Quedasteis”"),
        ("es", "Seis cartas, o cinco si sois tres", "“sois”"),
        ("es", "Hay his nobs.", "“his nobs”"),
        ("fr", "Vous êtes connecté.", "“êtes connecté”"),
        ("fr", "À votre place, on reçoit vos cartes.", "“À votre place, on”"),
        ("de", "Sonst wirst du nicht gepaart.", "“gepaart”"),
        ("de", "Hand 3. Gibt: %(name)s.", "“Gibt: ◊”"),
        ("en", 'Type "%(name)s" to confirm.', '“"”'),
        ("de", "Gib “%(name)s” ein.", "““”"),
        ("de", "Gib «%(name)s» ein.", "“«”"),
        ("fr", "Saisissez “%(name)s”.", "““”"),
        ("fr", "Saisissez «%(name)s».", "“«”"),
        ("fr", "Saisissez «\u202f%(name)s\u202f».", "“«”"),
        ("es", "Escribe “%(name)s”.", "““”"),
        ("es", "Escribe « %(name)s ».", "“«”"),
    ],
)
def test_a_bad_text_is_found(language: str, words: str, rule: str) -> None:
    assert rule in wrong(words, language)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Fifteen two, and his nobs is three. His heels: 2 for Ann."),
        ("en", "No open tables right now. Start one and the next visitor can join you."),
        ("en", 'Errors look like <code>{"detail": "nobody"}</code>, <a href="%(his)s">here</a>.'),
        ("de", "Sie liegen in der Crib. Wer gibt, zählt sie zuletzt: das beste Blatt."),
        ("fr", "Voulez-vous jouer\u202f? Le compte\u00a0: «\u00a015\u00a0» à 20:30."),
        ("es", "¿Quieres jugar? ¡El ordenador te espera!"),
        (
            "es",
            "La jota de corte («his heels»): dos puntos. La amistad en la red, la mitad en casa.",
        ),
        ("fr", "L’ordinateur joue à votre place."),
        ("de", "Es gibt noch %(n)d Paare. E-Mails ausschalten"),
        ("en", 'Players see “Deleted player”. <a href="/x/">More</a>'),
        ("de", "Andere sehen „Gelöschtes Konto“."),
        ("fr", "On voit «\u00a0Compte supprimé\u00a0»."),
        ("es", "Se ve «Cuenta eliminada»."),
    ],
)
def test_a_good_text_is_not_found(language: str, words: str) -> None:
    assert wrong(words, language) == []


def test_a_button_has_24_letters_without_its_placeholders() -> None:
    assert wrong("Play %(name)s in this match", kind="button") == []
    assert wrong("Leave the table to the computer", kind="button") == ["a button of 31 letters"]
    assert wrong("Leave the table to the computer", kind="link") == []


def test_a_sentence_has_26_words() -> None:
    long = " ".join(["word"] * 27)
    assert wrong(f"{long}.") == ["a sentence of 27 words"]
    assert wrong(f"{long[:60]}. {long[60:]}.") == []


def test_a_concept_has_one_word_in_each_language() -> None:
    assert wrong("Deine Krippe", "de", english="Your crib") == ["another word for “crib”"]
    assert wrong("Deine Crib", "de", english="Your crib") == []
    assert wrong("In %(crib)s legen", "de", english="Throw into %(crib)s") == []
    assert wrong("Deine Krippe", "de", english="Your cards") == []


def test_each_language_of_the_site_has_rules_and_terms() -> None:
    languages = {code for code, _name in settings.LANGUAGES}
    data = tomllib.loads(prose.RULES.read_text())
    assert set(data["forbidden"]) == languages
    assert all(set(term) == languages for term in data["term"])


def test_a_finding_names_the_file_the_text_and_the_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = polib.POFile()
    catalogue.append(polib.POEntry(msgid="One wins", msgid_plural="Nobody wins"))
    path = tmp_path / "en" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    catalogue.save(str(path))
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    monkeypatch.setattr(prose, "LOCALE", tmp_path)
    monkeypatch.setattr(prose, "_kinds", dict)
    monkeypatch.setattr("sys.argv", ["prose", "en"])
    assert prose.main() == 1
    said = capsys.readouterr().out
    assert re.search(
        r"^en/LC_MESSAGES/django.po:\d+: “Nobody” \(no one.*\): 'Nobody wins'$", said, re.MULTILINE
    )
    assert said.endswith("en: 1 findings\n")
    catalogue[0].msgid_plural = "All win"
    catalogue.save(str(path))
    assert prose.main() == 0
