"""Find or install a Chromium for the browser tests.

    python -m scripts.chromium

The headless shell is preferred: a full Chromium draws its own toolbar for each window, which takes
about a quarter of the tests' time. CHROMIUM names another program. On Debian as root the shell is
installed as a package. Elsewhere an installed browser is used; if there is none, Playwright's shell
is downloaded into .local/browsers.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ROOT / ".local" / "browsers"
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FETCHED = "chromium_headless_shell-*/*/*headless*shell"
DOWNLOAD_SECONDS, PACKAGE_SECONDS = 240, 600

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""Flags that prevent Chromium from loading anything but the page under test."""


class NoBrowser(Exception):
    """There is no Chromium, and none could be installed."""


def launch_flags() -> list[str]:
    """Return the flags for this user; Chromium's sandbox does not start as root."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*FLAGS, "--no-sandbox"] if as_root else list(FLAGS)


def find() -> str | None:
    """Return the path of a Chromium on this machine; None if there is none."""
    named = os.environ.get("CHROMIUM", "").strip()
    if named:
        return shutil.which(named)
    for name in (*NAMES, *ELSEWHERE):
        path = shutil.which(name)
        if path:
            return path
    found = sorted(BROWSERS.glob(FETCHED))
    return str(found[-1]) if found else None


def ensure() -> str:
    """Return the path of a Chromium, installing one if needed; raise NoBrowser on failure."""
    if os.environ.get("CHROMIUM") and not find():
        raise NoBrowser(f"CHROMIUM={os.environ['CHROMIUM']} is not a program.")
    if not os.environ.get("CHROMIUM") and shutil.which(SHELL) is None:
        _install_package()
    if find() is None:
        _fetch()
    path = find()
    if path:
        return path
    raise NoBrowser(
        "the browser tests need Chromium, which could not be downloaded. Install it "
        f"(Debian: apt install {SHELL}), or set its path: CHROMIUM=/path/to/chromium make test"
    )


def _fetch() -> None:
    print("Downloading Chromium for the browser tests (once) ...", flush=True)
    environment = {**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(BROWSERS)}
    install = [sys.executable, "-m", "playwright", "install", SHELL]
    _try(install, DOWNLOAD_SECONDS, environment)


def _install_package() -> None:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return
    print(f"Installing the package {SHELL} for the browser tests (once) ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _try([apt, "update", "-qq"], PACKAGE_SECONDS, environment)
    _try(
        [apt, "install", "-y", "-qq", "--no-install-recommends", SHELL],
        PACKAGE_SECONDS,
        environment,
    )


def _try(command: list[str], seconds: int, environment: dict[str, str]) -> None:
    """Run a command that may fail; the caller then looks for the result."""
    try:
        subprocess.run(  # noqa: S603 - the commands above
            command, timeout=seconds, env=environment, capture_output=True, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{command[0]}: {error}", file=sys.stderr)


def main() -> int:
    """Print the path of the Chromium that the tests will use."""
    try:
        print(f"Chromium: {ensure()}")
    except NoBrowser as error:
        print(f"cribbage: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
