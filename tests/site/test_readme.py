"""The commands, files and links in the README exist."""

import re
from pathlib import Path

import pytest

from tests.support.servers import ROOT

README = (ROOT / "README.md").read_text()
TARGETS = frozenset(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE))


def blocks() -> list[str]:
    """Return the lines that a reader is told to type."""
    return [
        line
        for block in re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]


def test_every_make_target_named_exists() -> None:
    named = set(re.findall(r"\bmake ([a-z-]+)", README))
    assert {"run", "test"} <= named
    assert named <= TARGETS


def test_the_commands_are_what_continuous_integration_runs() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    # Only commands at the start of a line: the script's final message mentions them as well.
    assert re.findall(r"^make (?:--[\w=-]+ )*([a-z-]+)", script, re.MULTILINE) == ["check", "test"]
    assert "`make check`" in README
    assert {"make run", "make test"} <= set(blocks())


def test_every_management_command_named_exists() -> None:
    named = re.findall(r"manage\.py (\w+)", README)
    assert named
    for name in named:
        assert (ROOT / "games" / "management" / "commands" / f"{name}.py").is_file()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!http)([^)#]+)", README))))
def test_every_link_leads_somewhere(target: str) -> None:
    assert (ROOT / target).exists()


def test_every_path_named_exists() -> None:
    for name in re.findall(r"`((?:games|tests|static|templates|docs)[\w/.]*)`", README):
        assert Path(ROOT / name).exists(), name


def test_files_that_commands_read_exist() -> None:
    for name in re.findall(r"tests/[\w/.]+\.jsonl", README):
        assert (ROOT / name).is_file(), name
