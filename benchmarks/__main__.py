"""Runner of the speed benchmarks: ``make bench``, or ``python -m benchmarks [part ...]``.

Each benchmark runs in its own process, so that none inherits memory or caches. Their output
is also written to a dated file in docs/results/, with the machine, the versions and the commit;
`benchmarks.newest` then rebuilds the table in docs/scaling.md.
Parts that did not run, or not to the end, are named there.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks import newest
from benchmarks.newest import RESULTS, ROOT

PARTS = {
    "engine": "benchmarks.engine",
    "analysis": "benchmarks.analysis",
    "pages": "benchmarks.pages",
    "realtime": "benchmarks.realtime",
    "lives": "benchmarks.lives",
    "load": "benchmarks.load watchers slow",
    "returning": "benchmarks.returning --sockets 5000",
    "kills": "benchmarks.kills",
}
"""Name -> module with its arguments. They print P1 to P10; P7 comes from the first two."""

PACKAGES = ("django", "channels", "daphne", "uvicorn", "redis", "psycopg", "numpy", "numba")


def main() -> int:
    """Run the benchmarks and write the file; return 1 if any failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parts = parser.parse_args().parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    started = datetime.now(UTC)
    results = [(part, *run(part)) for part in parts]
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{started:%Y-%m-%d-%H%M}.md"
    file.write_text(report(started, results))
    print(f"written to {file.relative_to(ROOT)}")
    newest.main()
    failed = [part for part, status, _ in results if status]
    if failed:
        print(f"did not run to the end: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def run(part: str) -> tuple[int, str]:
    """Run a benchmark and show what it prints; return its exit status and that text."""
    print(f"== {part}", flush=True)
    lines = []
    with subprocess.Popen(
        [sys.executable, "-m", *PARTS[part].split()], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    return process.returncode, "".join(lines)


def report(started: datetime, results: list[tuple[str, int, str]]) -> str:
    """Return the file's text."""
    load = "/".join(f"{each:.1f}" for each in os.getloadavg())
    rest = [part for part in PARTS if part not in {ran for ran, *_ in results}]
    lines = [
        f"# Results of {started:%Y-%m-%d %H:%M} UTC",
        "",
        f"- commit: {commit()}",
        f"- machine: {processor()}, {os.cpu_count()} cores, {platform.platform(terse=True)}",
        f"- load of the machine at the end (1, 5, 15 minutes): {load}; niceness {os.nice(0)}",
        f"- Python {platform.python_version()}; "
        + ", ".join(f"{name} {version(name)}" for name in PACKAGES),
        f"- not measured in this run: {', '.join(rest) or 'nothing'}",
    ]
    for part, status, text in results:
        lines += [
            "",
            f"## {part}",
            "",
            f"`python -m {PARTS[part]}`",
            "",
            "```",
            text.rstrip(),
            "```",
        ]
        if status:
            lines += ["", f"It did not run to the end (exit status {status})."]
    return "\n".join([*lines, ""])


def commit() -> str:
    """Return the commit that was measured, and whether files differed from it."""
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return said.stdout.strip() or "unknown"


def processor() -> str:
    """Return the processor's name, as Linux gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
