#!/bin/sh
# Wait until a URL answers successfully: wait-until-ready.sh http://127.0.0.1:8001/readyz
# After 60 seconds it prints the last answer and exits with status 1.
set -eu
url=$1
for _ in $(seq 120); do
  if curl --fail --silent --max-time 5 --output /dev/null "$url"; then exit 0; fi
  sleep 0.5
done
echo "not ready: $(curl --silent --max-time 5 "$url" || echo 'no answer')" >&2
exit 1
