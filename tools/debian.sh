#!/bin/sh
# Installs the named Debian packages that are not there yet. Says nothing where there is nothing to do.
set -eu
missing=""
for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if ! command -v apt-get >/dev/null; then
    echo "these packages are needed and apt-get is not here to install them:$missing" >&2
    exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then
    as_root="sudo -n"
    if ! sudo -n apt-get --version >/dev/null 2>&1; then
        echo "these packages are needed, and installing them needs root: apt-get install$missing" >&2
        exit 1
    fi
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 - several words on purpose
if ! $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1; then
    $as_root apt-get update -qq >/dev/null
    $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
