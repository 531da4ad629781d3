"""What the README promises is there: commands, files, pictures."""

import re
from pathlib import Path

import pytest

from tests.servers import ROOT

README = (ROOT / "README.md").read_text()
TARGETS = frozenset(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))


def blocks() -> list[str]:
    """Return the lines that a reader is told to type."""
    return [
        line
        for block in re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]


def test_every_make_target_that_is_named_exists() -> None:
    named = set(re.findall(r"\bmake ([a-z-]+)", README))
    assert {"run", "test"} <= named
    assert named <= TARGETS


def test_the_commands_are_what_continuous_integration_runs() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "make test" in script
    assert "make test" in blocks()
    assert "make run" in blocks()


def test_every_management_command_that_is_named_exists() -> None:
    named = re.findall(r"manage\.py (\w+)", README)
    assert named
    for name in named:
        assert (ROOT / "games" / "management" / "commands" / f"{name}.py").is_file()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!http)([^)#]+)", README))))
def test_every_link_leads_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


def test_every_path_that_is_named_exists() -> None:
    for name in re.findall(r"`((?:games|tests|static|templates|docs)[\w/.]*)`", README):
        assert Path(ROOT / name).exists(), name


def test_every_module_that_the_architecture_names_exists() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    for name in re.findall(r"`((?:games|tests|static|templates|docs)/[\w/.]*)`", text):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"`(games\.[\w.]+)`", text):
        path = ROOT / name.removesuffix(".apply").replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").is_file() or name == "games.api", name


def test_files_that_commands_read_exist() -> None:
    for name in re.findall(r"tests/[\w/.]+\.jsonl", README):
        assert (ROOT / name).is_file(), name
