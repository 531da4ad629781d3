#!/usr/bin/env bash
# Compile the loops of the strongest computers for `make run`. Where there is a C++ compiler, this is done ahead of
# time, with Numba (about 190 MB) in a folder that is removed afterwards. Elsewhere Numba is installed into .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=.venv/bin
tools=.local/kernel-tools
log=.local/kernels.log

has_numba() { $bin/python -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("numba") is None)'; }

has_compiler() {
  command -v c++ >/dev/null && [ -f "$($bin/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]
}

build() {
  trap 'rm -rf $tools' EXIT
  rm -rf $tools
  echo "Compiling the strongest computers (once; about a minute) ..."
  $bin/python -m pip install --disable-pip-version-check --no-input --no-compile -q --require-hashes --no-deps \
    --target $tools -r scripts/kernels.lock &&
    PYTHONPATH=$tools $bin/python -m scripts.kernels &&
    rm -rf $tools &&
    $bin/python -m games.bots.warmup
}

warm_up() {
  echo "Compiling the strongest computers (once; about half a minute) ..."
  $bin/python -m games.bots.warmup
}

mkdir -p .local
if ! has_numba; then
  if has_compiler; then
    build 2>$log && exit 0
    echo "This failed (details: $log); Numba is installed instead."
  fi
  scripts/venv.sh numba
fi
warm_up 2>$log || echo "This failed (details: $log); the site compiles them in the background instead."
