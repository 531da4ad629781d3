"""Every measurement of speed, one after the other: ``make bench``.

Each runs in a process of its own, so that none begins with another's memory and caches. Any that
fails is named at the end, after the others have had their turn.
"""

import subprocess
import sys

PARTS = (
    "benchmarks.engine",
    "benchmarks.analysis",
    "benchmarks.pages",
    "benchmarks.realtime",
    "benchmarks.load watchers slow",
    "benchmarks.kills",
)
"""Modules, each with its arguments; together they print P1 to P8: P7 is that of the first two."""


def main() -> int:
    """Run all parts; return 1 where one did not run to its end."""
    failed = []
    for part in PARTS:
        print(f"== {part}", flush=True)
        if subprocess.run([sys.executable, "-m", *part.split()], check=False).returncode:
            failed.append(part)
    if failed:
        print(f"did not run to the end: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
