#!/usr/bin/env bash
# Compile the loops of the strongest computers for `make run`. Where there is a C++ compiler, this is done ahead of
# time, with Numba (about 190 MB) in a folder that is removed afterwards. Elsewhere Numba is installed into .venv.
# If neither can be downloaded (status 3), the site starts without these computers, and the next `make run` tries again.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=.venv/bin
tools=.local/kernel-tools
log=.local/kernels.log
compiled=.venv/.compiled
trap 'exit 130' INT # pip does not end by the signal, and the next attempt would follow

has_numba() { $bin/python -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("numba") is None)'; }

# A Numba that a pull has left behind may not work with the NumPy of today.
has_the_numba() {
  grep -q "^numba==$($bin/python -c 'from importlib.metadata import version; print(version("numba"))') " scripts/kernels.lock
}

has_compiler() {
  command -v c++ >/dev/null && [ -f "$($bin/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]
}

# A fresh checkout changes only the times of files. The copy is of the lock file that was built with.
is_built() { cmp -s scripts/kernels.lock $compiled && $bin/python -m scripts.kernels --built; }

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

install_numba() {
  scripts/venv.sh numba && return
  echo "The strongest computers cannot play yet. The next make run tries again."
  exit 3
}

mkdir -p .local
if has_numba; then
  has_the_numba || install_numba
elif is_built 2>$log; then
  touch $compiled
  exit 0
elif has_compiler; then
  if build 2>$log; then
    cp scripts/kernels.lock $compiled
    exit 0
  fi
  echo "This failed (details: $log); Numba is installed instead."
  install_numba
else
  install_numba
fi
warm_up 2>$log || echo "This failed (details: $log); the site compiles them in the background instead."
touch $compiled
