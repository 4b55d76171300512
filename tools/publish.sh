#!/usr/bin/env bash
# The steps of .github/workflows/publish.yml, which holds no secret and installs no evaluator.
#
#   install    set up the pinned requirements, the generator and the site
#   check      stop unless site/data is a publication: schema, smallest cells, digests
#   build      build the site into build/site
set -euo pipefail
cd "$(dirname "$0")/.."

program="${BENCHPRESS:-.venv/bin/benchpress}"

install() {
  python3 -m venv .venv
  local pip=(.venv/bin/python -m pip --disable-pip-version-check --no-input install --quiet)
  "${pip[@]}" --require-hashes -r requirements/run.txt
  "${pip[@]}" --no-deps --no-build-isolation -e generator -e site
}

check() {
  if [[ -e site/data ]]; then
    "$program" check-publication site/data
  else
    echo "nothing was published yet: the site is built without results"
  fi
}

build() {
  check
  "$program" site build
}

case "${1:-}" in
  install | check | build) "$1" ;;
  *) echo "error: no step '${1:-}'; the head of this file lists them" >&2; exit 2 ;;
esac
