"""Translations: gather the site's texts from the code, and compile the translated ones.

    python -m scripts.messages            gather (needs GNU gettext), then compile
    python -m scripts.messages compile    only compile, which needs nothing but Python

docs/translating.md explains how to translate.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polib
from django.conf import settings
from django.core.management import call_command
from django.core.management.commands.makemessages import Command as MakeMessages

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
NO_SOURCES = ["node_modules", ".venv", ".local", "staticfiles", "tests", "benchmarks"]
NO_SCRIPTS = [*NO_SOURCES, "static/vendor/*", "static/dist/*"]


def gather() -> None:
    """Update the .po files from the code and the templates."""
    languages = [code for code, _name in settings.LANGUAGES]
    for domain, ignored in (("django", NO_SOURCES), ("djangojs", NO_SCRIPTS)):
        call_command(
            MakeMessages(),
            locale=languages,
            domain=domain,
            ignore_patterns=ignored,
            no_wrap=True,
            add_location="file",
            no_obsolete=True,
            verbosity=0,
        )


def compile_all() -> list[Path]:
    """Write the .mo file next to each .po file with translations; return the files written."""
    written = []
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        texts = polib.pofile(str(path), wrapwidth=0)
        if texts.translated_entries():
            target = path.with_suffix(".mo")
            texts.save_as_mofile(str(target))
            written.append(target)
    return written


def main() -> int:
    """Run the command line; return the exit status."""
    if sys.argv[1:] not in ([], ["compile"]):
        print(__doc__, file=sys.stderr)
        return 2
    if not sys.argv[1:]:
        gather()
    for path in compile_all():
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
