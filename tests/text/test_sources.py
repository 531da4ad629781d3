"""Texts in templates, browser modules and Python are found, with the place where they are read."""

from __future__ import annotations

from pathlib import Path

import polib
import pytest
from django.conf import settings

from games.text.sources.modules import texts_of_module
from games.text.sources.reading import all_texts
from games.text.sources.scripts import texts_of_script
from games.text.sources.templates import texts_of_template

TEMPLATE = """{% load i18n %}
<h1 title="{% translate "Its note" %}">{% translate "A heading" context "rules" %}</h1>
{% if here %}<p>{% blocktranslate trimmed with name=player.name %}
  Hello,
  {{ name }}!
{% endblocktranslate %}</p>{% endif %}
<form><button type="submit">{% translate "Play" %}<b>{% translate "now" %}</b></button></form>
<a class="button button-small" href="/">{% translate "Home" %}</a>
<a href="/">{% translate "More" %}{{ n|default:_("none") }}</a>
<ul>{% for each in all %}<li>{{ each }}</li>{% empty %}<li>{% translate "None yet." %}</li>
{% endfor %}</ul>
{% translate "Kept" as kept %}<label>{{ kept }}</label>{% translate "Unused" as unused %}
"""

SCRIPT = """
// gettext("a comment")
const off = /["'`{]/.test("gettext(");
export function Box({ act, n }) {
  return html`<${Dialog} title=${gettext("Leave?")} onClose=${() => act.open(null)}>
    <p>${n ? ngettext("%(n)s card", "%(n)s cards", n) : html`<i>${pgettext("a", "None")}</i>`}</p>
    <button type="button" class=${`big ${off ? "a" : ""}`} onClick=${() => act.leave({ n })}>
      ${gettext(
        "Leave",
      )}</button>
  </${Dialog}>`;
}
const later = gettext("Outside");
"""

MODULE = """
from django.utils.translation import gettext as _, ngettext, pgettext_lazy
SENTENCES = {"gone": _("It is gone."), "away": _("It is away.")}
def check(n):
    raise ValidationError(_("Too long."))
field = Field(label=pgettext_lazy("form", "Your name"), help=ngettext("one", "many", 2))
"""


def test_a_templates_texts_have_the_kinds_of_their_elements(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(TEMPLATE)
    found = texts_of_template(path, "templates/page.html")
    assert [(one.text, one.kind) for one in found] == [
        ("Its note", "label"),
        ("A heading", "heading"),
        ("Hello, %(name)s!", "text"),
        ("Play", "button"),
        ("now", "button"),
        ("Home", "button"),
        ("More", "link"),
        ("None yet.", "empty"),
        ("Kept", "label"),
        ("Unused", "text"),
        ("none", "text"),
    ]
    assert (found[1].context, found[1].file) == ("rules", "templates/page.html")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("No friends yet. Add one by name.", "empty"),
        ("You're not in a club yet.", "empty"),
        ("Your finished matches appear here.", "empty"),
        ("No hints, no take-backs.", "text"),
        ("Not final yet", "text"),
    ],
)
def test_an_empty_list_in_a_condition_is_known_by_its_words(
    tmp_path: Path, text: str, kind: str
) -> None:
    path = tmp_path / "page.html"
    shown = f'{{% if all %}}{{{{ all }}}}{{% else %}}<p>{{% translate "{text}" %}}</p>{{% endif %}}'
    path.write_text("{% load i18n %}" + shown)
    (found,) = texts_of_template(path, "templates/page.html")
    assert (found.text, found.kind) == (text, kind)


def test_a_scripts_texts_have_the_kinds_of_their_elements(tmp_path: Path) -> None:
    path = tmp_path / "box.js"
    path.write_text(SCRIPT)
    found = texts_of_script(path, "static/js/box.js")
    assert [(one.text, one.plural, one.kind, one.table) for one in found] == [
        ("Leave?", "", "heading", "dialog 1"),
        ("%(n)s card", "%(n)s cards", "text", "dialog 1"),
        ("None", "", "text", "dialog 1"),
        ("Leave", "", "button", "dialog 1"),
        ("Outside", "", "text", ""),
    ]
    assert found[2].context == "a"


def test_a_modules_texts_have_their_keys_and_kinds(tmp_path: Path) -> None:
    path = tmp_path / "refusals.py"
    path.write_text(MODULE)
    found = texts_of_module(path, "games/wire/refusals.py")
    assert [(one.text, one.kind, one.table, one.key) for one in found] == [
        ("It is gone.", "error", "SENTENCES", "gone"),
        ("It is away.", "error", "SENTENCES", "away"),
        ("Too long.", "error", "", ""),
        ("Your name", "label", "field", ""),
        ("one", "error", "field", ""),
    ]
    assert (found[3].context, found[4].plural) == ("form", "many")
    assert texts_of_module(path, "games/pages/forms.py")[2].kind == "error"
    assert texts_of_module(path, "games/pages/forms.py")[4].kind == "text"


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_every_text_of_the_catalogues_is_found(domain: str) -> None:
    found = {(one.context, one.text) for one in all_texts()}
    path = Path(settings.LOCALE_PATHS[0]) / "en" / "LC_MESSAGES" / f"{domain}.po"
    wanted = {(one.msgctxt or "", one.msgid) for one in polib.pofile(str(path))}
    assert len(wanted) > 300
    assert wanted - found == set()
