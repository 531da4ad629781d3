"""The static files of a public site, hashed and compressed, kept from one run of a day to the next.

To make them takes five seconds of processor time; they follow from `static`, sources and libraries.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.support import migrated
from tests.support.launcher import ROOT
from tests.support.servers import PRODUCTION, manage, sqlite_url

STATIC = ROOT / "static"


def make(folder: Path) -> None:
    """Write the files into ``folder``, which is there only when all are."""
    kept = migrated.place(".zip", STATIC)
    unfinished = folder.with_name("making-static")
    try:
        shutil.unpack_archive(kept, unfinished)
    except shutil.ReadError:
        production = {**PRODUCTION, "STATIC_ROOT": str(unfinished)}
        nothing = sqlite_url(folder.parent, "none.sqlite3")
        manage(nothing, "collectstatic", "--noinput", "-v", "0", extra=production)
        made = Path(shutil.make_archive(str(unfinished), "zip", unfinished))
        migrated.keep(made, kept)
    unfinished.rename(folder)
