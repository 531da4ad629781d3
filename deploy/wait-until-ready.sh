#!/bin/sh
# Wait until a URL answers successfully: wait-until-ready.sh http://127.0.0.1:8001/readyz [SECONDS]
# After 60 seconds it prints the last answer and exits with status 1; systemd waits for 90.
set -eu
url=$1
end=$(($(date +%s) + ${2:-60}))
while [ "$(date +%s)" -lt "$end" ]; do
  if curl --fail --silent --max-time 5 --output /dev/null "$url"; then exit 0; fi
  sleep 0.5
done
echo "not ready: $(curl --silent --max-time 5 "$url" || echo 'no answer')" >&2
exit 1
