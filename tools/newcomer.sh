#!/usr/bin/env bash
# A newcomer's path, timed: a user who has just come, with an empty home and an empty environment, clones this
# repository at HEAD and types `make demo` and `make test`, nothing else.
#
#   tools/newcomer.sh [--demo-only]
#
# As root, a new user is made for it and removed afterwards, with everything it wrote; as anybody else, only home and
# environment are new. Exits with 1 where a command fails; its output stands above. The first python3 of the system's
# own folders is used. PYTHON=/path/to/python puts another one at the head of the newcomer's PATH; it must be one that
# every user may read, which a Python below /root is not.
#
# `make test` needs Debian's packages chromium and age. Where they are missing, the newcomer gets the right to call
# apt-get with sudo, and that alone.
set -euo pipefail
cd "$(dirname "$0")/.."

demo_only=""
case "${1:-}" in
  "") ;;
  --demo-only) demo_only=yes ;;
  *) echo "usage: tools/newcomer.sh [--demo-only]" >&2; exit 2 ;;
esac

fail() {
  echo "error: $1" >&2
  exit 2
}

place=$(mktemp -d "${TMPDIR:-/tmp}/newcomer.XXXXXXXX")
home="$place/home"
user=""
sudoers=""
group=""

clear_away() {
  trap '' INT TERM HUP PIPE
  # A command of the newcomer is one process group, which ends with this script however it ends.
  if [[ -n "$group" ]]; then kill -TERM -- "-$group" 2>/dev/null || true; fi
  if [[ -n "$sudoers" ]]; then rm -f "$sudoers"; fi
  if [[ -n "$user" ]]; then
    for _ in 1 2 3 4 5; do
      userdel --force "$user" >/dev/null 2>&1 || true
      id "$user" >/dev/null 2>&1 || break
      sleep 1
    done
  fi
  rm -rf "$place"
}
trap clear_away EXIT
trap 'exit 130' INT TERM HUP PIPE

chmod 755 "$place"
mkdir -p "$home" "$place/bin" "$place/tmp"
become=()
if [[ "$(id -u)" == 0 ]]; then
  user="newcomer-$$"
  useradd --no-create-home --home-dir "$home" --user-group --shell /bin/bash "$user"
  become=(setpriv "--reuid=$user" "--regid=$user" --init-groups)
fi

# env -i: no setting of the person who runs this reaches the newcomer.
path="$place/bin:/usr/local/bin:/usr/bin:/bin"
newcomer() {
  "${become[@]}" env -i HOME="$home" PATH="$path" TMPDIR="$place/tmp" LANG=C.UTF-8 "$@"
}

python=python3
if [[ -n "${PYTHON:-}" ]]; then
  python="$place/bin/python3"
  found=$(command -v "$PYTHON") || fail "PYTHON=$PYTHON is no program"
  ln -s "$found" "$python"
fi
git bundle create --quiet "$place/repository.bundle" HEAD
if [[ -n "$user" ]]; then chown -R "$user:$user" "$home" "$place/tmp" "$place/repository.bundle"; fi

newcomer "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
  fail "the newcomer cannot run ${PYTHON:-a python3} of 3.11 or later with venv: name one that every user may read, PYTHON=/path/to/python"
version=$(newcomer "$python" --version)

if [[ -z "$demo_only" && -n "$user" ]]; then
  missing=""
  for package in chromium age; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
  done
  if [[ -n "$missing" ]]; then
    command -v sudo >/dev/null || fail "make test installs$missing with sudo, which is not here: install sudo, or$missing"
    sudoers="/etc/sudoers.d/$user"
    (umask 337 && echo "$user ALL=(root) NOPASSWD:SETENV: /usr/bin/apt-get" > "$sudoers")
    echo "The newcomer may call apt-get with sudo, for$missing."
  fi
fi

echo "A newcomer: ${user:-$(id -un)}, home $home, $version, commit $(git rev-parse --short HEAD)"
newcomer git -c advice.detachedHead=false clone --quiet "$place/repository.bundle" "$home/benchpress"

times=()
step() {
  local start=$SECONDS code=0
  echo
  echo "\$ $*"
  set -m # a job is a process group of its own then
  newcomer "$@" < /dev/null &
  set +m
  group=$!
  wait "$group" || code=$?
  group=""
  times+=("$(printf '%-10s %5d s   %s' "$*" "$((SECONDS - start))" "$([[ $code == 0 ]] && echo passed || echo "failed with $code")")")
  return "$code"
}

cd "$home/benchpress"
verdict=0
step make demo || verdict=1
if [[ -z "$demo_only" ]]; then step make test || verdict=1; fi
echo
printf '%s\n' "${times[@]}"
exit "$verdict"
