#!/usr/bin/env bash
# Tools that need Node.js: scripts/node.sh biome ARGUMENTS... | scripts/node.sh --test
# The site needs none of it, so that a machine without Node.js is told what was not done
# and goes on; in CI that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "cribbage: Node.js 20 or later is not installed: the browser modules were not checked." >&2
  [ "${CI:-}" = true ] && exit 1
  exit 0
fi

case ${1:-} in
  biome)
    shift
    if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
      mkdir -p .local
      # Not `npm ci`: the lock holds the hashes of the Linux programs alone, and npm ci refuses a
      # lock without those of every other system. What the lock names is checked all the same.
      if ! npm install --no-save --ignore-scripts >.local/npm.log 2>&1; then
        echo "cribbage: npm could not install what package-lock.json names (details: .local/npm.log)" >&2
        exit 1
      fi
      touch node_modules/.package-lock.json
    fi
    [ -t 1 ] && colors=force || colors=off
    exec node_modules/.bin/biome "$@" --no-errors-on-unmatched --colors=$colors
    ;;
  --test)
    shopt -s globstar nullglob
    files=(tests/js/**/*.test.js)
    [ ${#files[@]} -gt 0 ] || { echo "cribbage: there is no tests/js/*.test.js" >&2; exit 1; }
    exec node --test --test-reporter=spec "${files[@]}"
    ;;
  *)
    echo "usage: scripts/node.sh biome ARGUMENTS... | --test" >&2
    exit 2
    ;;
esac
