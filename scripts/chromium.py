"""Find a Chromium for the browser tests, or get one.

    python -m scripts.chromium

One that is installed is taken (CHROMIUM names another). Else Playwright's own is fetched
into .local/browsers; where it cannot be, and on Debian as root, the package is installed.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ROOT / ".local" / "browsers"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FETCHED = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
)
DOWNLOAD_SECONDS, PACKAGE_SECONDS = 240, 600

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
"""Nothing but the page under test is to be loaded, from this machine alone."""


class NoBrowser(Exception):
    """There is no Chromium, and none could be had."""


def launch_flags() -> list[str]:
    """Return the flags for this user: Chromium's sandbox refuses to be started by root."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*FLAGS, "--no-sandbox"] if as_root else list(FLAGS)


def find() -> str | None:
    """Return the path of a Chromium on this machine, or None."""
    named = os.environ.get("CHROMIUM", "").strip()
    if named:
        return shutil.which(named)
    for name in (*NAMES, *ELSEWHERE):
        path = shutil.which(name)
        if path:
            return path
    for pattern in FETCHED:
        found = sorted(BROWSERS.glob(pattern))
        if found:
            return str(found[-1])
    return None


def ensure() -> str:
    """Return the path of a Chromium, getting one where there is none; raise NoBrowser."""
    if os.environ.get("CHROMIUM") and not find():
        raise NoBrowser(f"CHROMIUM={os.environ['CHROMIUM']} is not a program.")
    for get in (lambda: None, _fetch, _install_package):
        get()
        path = find()
        if path:
            return path
    raise NoBrowser(
        "the browser tests need Chromium, and none could be fetched. Install it "
        "(Debian: apt install chromium), or name one: CHROMIUM=/path/to/chromium make test"
    )


def _fetch() -> None:
    print("Fetching a Chromium for the browser tests (once) ...", flush=True)
    environment = {**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(BROWSERS)}
    _try([sys.executable, "-m", "playwright", "install", "chromium"], DOWNLOAD_SECONDS, environment)


def _install_package() -> None:
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return
    print("Installing the system's Chromium package instead ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _try([apt, "update", "-qq"], PACKAGE_SECONDS, environment)
    _try(
        [apt, "install", "-y", "-qq", "--no-install-recommends", "chromium"],
        PACKAGE_SECONDS,
        environment,
    )


def _try(command: list[str], seconds: int, environment: dict[str, str]) -> None:
    """Run a command that may fail: what it was for is looked for afterwards."""
    try:
        subprocess.run(  # noqa: S603 - the commands above
            command, timeout=seconds, env=environment, capture_output=True, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{command[0]}: {error}", file=sys.stderr)


def main() -> int:
    """Print the path of the Chromium that the tests will drive."""
    try:
        print(f"Chromium: {ensure()}")
    except NoBrowser as error:
        print(f"cribbage: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
