"""Find or fetch nginx, Caddy, Prometheus, systemd-analyze and g++, for the tests of deploy/.

    python -m scripts.proxies

Installed programs are used as they are. On Debian and its relatives the missing ones are downloaded
as packages and unpacked into .local/proxies: nothing is installed on the machine, and no service
starts. Only systemd, g++ and Python's headers cannot be used from a folder; their packages are
installed, which needs root.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNPACKED = ROOT / ".local" / "proxies"
FOLDERS = ("usr/sbin", "usr/bin")
PACKAGES = {
    "nginx": "nginx",
    "caddy": "caddy",
    "prometheus": "prometheus",
    "promtool": "prometheus",
}
"""Program -> the Debian package that contains it and can be used without being installed."""

SEPARATE = {"promtool": "promtool"}
"""Programs with a package of their own in newer versions of Debian (13 and later)."""

INSTALLED = {"systemd-analyze": "systemd", "g++": "g++"}
VERSION = {"nginx": "-v", "caddy": "version"}
"""The option that prints a program's version, if it is not `--version`."""

PACKAGE_SECONDS = 300
"""Seconds after which a package manager is stopped."""


class NoProgram(Exception):
    """A program is not on this machine and could not be fetched; says why."""


def find(name: str) -> str | None:
    """Return the path of a program that runs on this machine; None if there is none."""
    folders = [*(f"/{folder}" for folder in FOLDERS), *(str(UNPACKED / f) for f in FOLDERS)]
    path = shutil.which(name) or shutil.which(name, path=os.pathsep.join(folders))
    return path if path and _runs(path, name) else None


def _runs(path: str, name: str) -> bool:
    asked = [path, VERSION.get(name, "--version")]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0  # noqa: S603


def has_headers() -> bool:
    """Return whether Python's headers are here, which compiling a module for it needs."""
    return Path(sysconfig.get_path("include"), "Python.h").is_file()


def ensure() -> dict[str, str]:
    """Return the path of each program, fetching those that are missing; raise NoProgram."""
    for fetch, packages in ((_unpack, PACKAGES), (_unpack, SEPARATE), (_install, INSTALLED)):
        missing = {package for name, package in packages.items() if not find(name)}
        if missing:
            fetch(sorted(missing))
    if not has_headers():
        _install(["python3-dev"])
    found = {name: find(name) for name in (*PACKAGES, *INSTALLED)}
    if absent := [name for name, path in found.items() if path is None]:
        raise NoProgram(f"{', '.join(absent)} would not run here: install them as packages")
    return {name: path for name, path in found.items() if path}


def _unpack(packages: list[str]) -> None:
    print(f"Fetching {', '.join(packages)} for the tests of deploy/ (once) ...", flush=True)
    downloads = UNPACKED / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    # As root, apt would download as a user who cannot write here.
    _apt(["-o", "APT::Sandbox::User=root", "download", *packages], packages, downloads)
    for file in downloads.glob("*.deb"):
        _run(["dpkg-deb", "-x", str(file), str(UNPACKED)], UNPACKED)
        file.unlink()


def _install(packages: list[str]) -> None:
    if os.geteuid() != 0:
        raise NoProgram(f"install it first: apt install {' '.join(packages)}")
    print(f"Installing {', '.join(packages)} for the tests of deploy/ (once) ...", flush=True)
    _apt(["install", "-y", "--no-install-recommends", *packages], packages, ROOT)


def _apt(arguments: list[str], packages: list[str], folder: Path) -> None:
    """Run apt-get; if it fails, once more with new lists of packages."""
    apt = shutil.which("apt-get")
    if apt is None:
        raise NoProgram(f"there is no apt-get here. Install them yourself: {' '.join(packages)}")
    try:
        _run([apt, "-qq", *arguments], folder)
    except NoProgram:
        if os.geteuid() != 0:
            raise
        _run([apt, "-qq", "update"], folder)
        _run([apt, "-qq", *arguments], folder)


def _run(command: list[str], folder: Path) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(  # noqa: S603 - the commands above
            command, cwd=folder, env=environment, timeout=PACKAGE_SECONDS,
            check=True, capture_output=True, text=True,
        )  # fmt: skip
    except subprocess.CalledProcessError as error:
        raise NoProgram(f"{' '.join(command)}: {error.stderr.strip()}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoProgram(f"{' '.join(command)}: {error}") from error


def main() -> int:
    """Print the path of each program. A missing one is an error only in CI."""
    try:
        for name, path in ensure().items():
            print(f"{name}: {path}")
    except NoProgram as error:
        print(f"cribbage: {error}", file=sys.stderr)
        if os.environ.get("CI"):
            return 1
        print("cribbage: the tests of deploy/ that need it are skipped.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
