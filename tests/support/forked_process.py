"""The life of a forked process: importing the site, reading its settings, running, ending."""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import os
import pkgutil
import runpy
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

from tests.support.fork_jobs import Job
from tests.support.launcher import ROOT

SITE = ("cribbage_site", "games", "ratings")
"""The packages of the site, all of whose modules are imported before a fork with the site."""

AT_START = "cribbage_site.asgi"
"""The module that builds the application from the settings: each process imports it."""


def import_site(environment: Mapping[str, str]) -> None:
    """Import the site, and load what its processes would load with their first pages."""
    _take(environment)
    try:
        import django

        django.setup()
        importlib.import_module("cribbage_site.urls")
        for name in SITE:
            for module in pkgutil.walk_packages([str(ROOT / name)], f"{name}."):
                if module.name != AT_START:
                    importlib.import_module(module.name)
        from django.contrib.auth.hashers import PBKDF2PasswordHasher
        from django.template.loader import get_template
        from django.urls import reverse

        PBKDF2PasswordHasher.iterations = 1_000  # else 0.25 s of processor time each
        reverse("account_login")  # makes the table of all addresses
        folder = ROOT / "templates"
        for file in folder.rglob("*.html"):
            get_template(str(file.relative_to(folder)))
    except Exception:
        traceback.print_exc()  # each fork will say so too
    gc.collect()
    gc.freeze()


def load_computers() -> None:
    """Load the table of all hands, and the computers' kernels if they have been compiled.

    None of them reads a setting, so all forks can share them.
    """
    try:
        from games.engine.scoring import count_hand

        count_hand((0, 1, 2, 3), 4)  # makes the table
        if kernels_are_compiled():
            from games.bots.warmup import warm_up

            warm_up()
    except Exception:
        traceback.print_exc()  # each fork that needs them will say so too


def kernels_are_compiled() -> bool:
    """Return whether Numba's cache has all kernels of these sources.

    Compiling them takes a minute of processor time, and a run that was cut off, or a page that
    needed some, leaves others out.
    """
    from numba import config

    from scripts import kernels

    importlib.import_module("games.analysis.kernels.compiled")  # names the folder
    folder = getattr(config, "CACHE_DIR", "")
    if not folder:
        return False
    stored = {file.name.partition("-")[0] for file in Path(folder).rglob("*.nbi")}
    return kernels.listed().keys() <= stored


def _take(environment: Mapping[str, str]) -> None:
    """Become a process with that environment."""
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()


def _read_settings_again() -> None:
    """Make Django reread settings, databases and caches from this process's environment."""
    from django.conf import Settings, settings
    from django.core.cache import caches
    from django.db import connections

    module = sys.modules["cribbage_site.settings"]
    for names in (vars(module), vars(settings)):
        for name in [name for name in names if name.isupper()]:
            del names[name]
    importlib.reload(module)
    settings._wrapped = Settings("cribbage_site.settings")
    for handler in (connections, caches):
        for alias in list(handler):
            with contextlib.suppress(AttributeError):  # it has not been used yet
                del handler[alias]
        vars(handler).pop("settings", None)
        setattr(handler, "_settings", None)  # noqa: B010 — a name that the stubs do not know


def _do(job: Job) -> None:
    """Become the requested process."""
    os.setsid()
    _take(job.environment)
    if "cribbage_site.settings" in sys.modules:
        _read_settings_again()
    kind, *rest = job.arguments
    sys.path[:] = [str(ROOT), *(path for path in sys.path if path not in {str(ROOT), ""})]
    if kind == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.argv = [kind, *rest]
        runpy.run_path(str(ROOT / kind), run_name="__main__")


def do_and_end(job: Job) -> NoReturn:
    """Become the requested process, and end without clearing its modules.

    Clearing them copies most of the memory that forks share: 0.2 s of processor time for each.
    """
    try:
        _do(job)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except Exception:
        traceback.print_exc()
        status = 1
    # What the interpreter does before it clears the modules; neither has a public name.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(status & 0xFF)
