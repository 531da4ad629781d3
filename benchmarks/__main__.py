"""Runner of all speed benchmarks: ``make bench``.

Each benchmark runs in its own process, so that none inherits memory or caches. Failures are listed
at the end.
"""

import subprocess
import sys

PARTS = (
    "benchmarks.engine",
    "benchmarks.analysis",
    "benchmarks.pages",
    "benchmarks.realtime",
    "benchmarks.lives",
    "benchmarks.load watchers slow",
    "benchmarks.kills",
)
"""Modules with their arguments. They print P1 to P9; P7 comes from the first two."""


def main() -> int:
    """Run all benchmarks; return 1 if any failed."""
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
