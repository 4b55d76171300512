#!/bin/sh
# Makes sure that the browser of the site's tests is there: Debian's chromium. Silent when it is.
set -eu
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" > /dev/null 2>&1; then exit 0; fi
done
if ! command -v apt-get > /dev/null 2>&1; then
  echo "chromium is missing and this system has no apt-get: install chromium, then run again" >&2
  exit 1
fi
run=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo > /dev/null 2>&1; then
    echo "chromium is missing and only root can install it: run 'apt-get install chromium' as root, then run again" >&2
    exit 1
  fi
  run="sudo"
fi
echo "Installing chromium for the tests of the site ..."
if ! { $run apt-get update && DEBIAN_FRONTEND=noninteractive $run apt-get install -y --no-install-recommends chromium; } \
  > "${TMPDIR:-/tmp}/chromium-install.log" 2>&1; then
  echo "chromium could not be installed; see ${TMPDIR:-/tmp}/chromium-install.log" >&2
  exit 1
fi
