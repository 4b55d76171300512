#!/usr/bin/env bash
# The steps of .github/workflows/evaluate.yml. The workflow calls these and nothing else, and so do the tests, which
# run them from an empty checkout against a real server: the two cannot drift apart.
#
#   shards N    print the matrix of a run on N machines, ["1/N",...,"N/N"]
#   install     set up the program and the pinned requirements of an evaluation
#   fetch       take site/data as it stands on the branch that is pushed to; the code stays as it is
#   announce N  publish commitment and register with the run that is about to begin, before its first call
#   run I/N     put one shard's items to the entrants; the encrypted journal goes to the store
#   audit       compare the version with a fresh sample, when one is due; an alarm is told after publishing
#   publish     score, export, check, and commit site/data, which is all that ever leaves
#   push        push site/data as one commit on top of the branch; nothing where it changed there since `fetch`
#   verdict     fail where the audit raised an alarm, or where a shard or the audit did not end well
#
# BENCHPRESS_VERSION   the version                     BENCHPRESS_STORE     folder or s3://bucket/prefix
# BENCHPRESS_ENTRANTS  ids, separated by blanks (all)  BENCHPRESS_MAX_COST  dollars for one machine (no limit)
# BENCHPRESS_PUBLIC    the public set to compare with  BENCHPRESS_EARLIER   versions to bridge to (none)
# BENCHPRESS_REMOTE, BENCHPRESS_BRANCH, BENCHPRESS_DEPLOY_KEY     whence `fetch`, where to `push`, with which ssh key
# BENCHPRESS_RUN, BENCHPRESS_AUDIT                                how the shards and the audit ended: success, failure
set -euo pipefail
cd "$(dirname "$0")/.."
# What a step says is kept in build/evaluate and shown after leak-check has passed it, see `shown`.

program="${BENCHPRESS:-.venv/bin/benchpress}"
data=site/data
alarm=build/evaluate/alarm
taken=refs/benchpress/taken

# Known keys of the host that is pushed to, so that nobody else is ever asked: https://api.github.com/meta
host_key="github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"

version() {
  : "${BENCHPRESS_VERSION:?names the version}" "${BENCHPRESS_STORE:?says where versions and journals are}"
}

# words OPTION NAMES: the option before each of the names, which blanks separate, into the array `options`
words() {
  local name names
  read -ra names <<<"$2"
  options=()
  for name in "${names[@]}"; do options+=("$1" "$name"); done
}

shards() {
  local count="$1" shard list=""
  [[ "$count" =~ ^[1-9][0-9]?$ ]] || { echo "error: $count shards: use 1 to 99" >&2; exit 2; }
  for ((shard = 1; shard <= count; shard++)); do list+="${list:+,}\"$shard/$count\""; done
  echo "[$list]"
}

install() {
  make .venv/evaluate.stamp
}

announce() {
  version
  words --entrant "${BENCHPRESS_ENTRANTS:-}"
  "$program" run "$BENCHPRESS_VERSION" --store "$BENCHPRESS_STORE" --shard "1/$1" --announce "${options[@]}"
  publish
}

run() {
  version
  words --entrant "${BENCHPRESS_ENTRANTS:-}"
  [[ -z "${BENCHPRESS_MAX_COST:-}" ]] || options+=(--max-cost "$BENCHPRESS_MAX_COST")
  "$program" run "$BENCHPRESS_VERSION" --store "$BENCHPRESS_STORE" --shard "$1" "${options[@]}"
}

audit() {
  version
  rm -f "$alarm"
  "$program" score "$BENCHPRESS_VERSION" --store "$BENCHPRESS_STORE"
  local code=0 limit=()
  [[ -z "${BENCHPRESS_MAX_COST:-}" ]] || limit=(--max-cost "$BENCHPRESS_MAX_COST")
  "$program" audit "$BENCHPRESS_VERSION" --store "$BENCHPRESS_STORE" "${limit[@]}" || code=$?
  case "$code" in
    0) ;;
    1) mkdir -p "$(dirname "$alarm")" && touch "$alarm" ;;
    *) exit "$code" ;;
  esac
}

publish() {
  version
  "$program" score "$BENCHPRESS_VERSION" --store "$BENCHPRESS_STORE"
  words --earlier "${BENCHPRESS_EARLIER:-}"
  [[ -z "${BENCHPRESS_PUBLIC:-}" ]] || options+=(--public "$BENCHPRESS_PUBLIC")
  "$program" export "$BENCHPRESS_VERSION" --store "$BENCHPRESS_STORE" --out "$data" "${options[@]}"
  "$program" check-publication "$data"
  "$program" leak-check --store "$BENCHPRESS_STORE" "$data"
  git add --all -- "$data"
  if git diff --cached --quiet -- "$data"; then
    echo "nothing new to publish"
  else
    as_us commit --quiet --message "Results of $BENCHPRESS_VERSION" -- "$data"
  fi
}

remote() {
  : "${BENCHPRESS_REMOTE:?says where to push}" "${BENCHPRESS_BRANCH:?says to which branch}"
  keys="$(mktemp -d)"
  trap 'rm -rf "$keys"' EXIT
  if [[ -n "${BENCHPRESS_DEPLOY_KEY:-}" ]]; then
    (umask 077 && printf '%s\n' "$BENCHPRESS_DEPLOY_KEY" >"$keys/key")
    echo "$host_key" >"$keys/hosts"
    export GIT_SSH_COMMAND="ssh -i $keys/key -o IdentitiesOnly=yes -o UserKnownHostsFile=$keys/hosts -o StrictHostKeyChecking=yes"
  fi
}

as_us() {
  git -c user.name=benchpress -c user.email=benchpress@users.noreply.github.com "$@"
}

# published COMMIT: what site/data is in a commit, as the id of its tree; nothing where there is none
published() {
  git rev-parse --verify --quiet "$1:$data" || true
}

fetch() {
  remote
  git fetch --quiet "$BENCHPRESS_REMOTE" "refs/heads/$BENCHPRESS_BRANCH"
  git rm -r --quiet --ignore-unmatch -- "$data"
  [[ -z "$(published FETCH_HEAD)" ]] || git restore --source FETCH_HEAD --staged --worktree -- "$data"
  git diff --cached --quiet -- "$data" ||
    as_us commit --quiet --message "Data as they stand on $BENCHPRESS_BRANCH" -- "$data"
  git update-ref "$taken" FETCH_HEAD
}

# The branch may have moved since its code was approved, so none of its code is checked out here.
push() {
  remote
  local tries commit
  git rev-parse --verify --quiet "$taken" >/dev/null || {
    echo "error: nothing was fetched before this; fetch, then publish" >&2
    exit 1
  }
  for tries in 4 3 2 1 0; do
    git fetch --quiet "$BENCHPRESS_REMOTE" "refs/heads/$BENCHPRESS_BRANCH"
    if [[ "$(published HEAD)" == "$(published FETCH_HEAD)" ]]; then
      echo "nothing new to push"
      return
    fi
    if [[ "$(published FETCH_HEAD)" != "$(published "$taken")" ]]; then
      echo "error: $data changed on $BENCHPRESS_BRANCH since it was fetched; fetch and publish again" >&2
      exit 1
    fi
    commit="$(transplanted)"
    if git push --quiet "$BENCHPRESS_REMOTE" "$commit:refs/heads/$BENCHPRESS_BRANCH"; then
      git update-ref "$taken" "$commit"
      return
    fi
    ((tries == 0)) || sleep "$((5 - tries))"
  done
  echo "error: $BENCHPRESS_BRANCH could not be pushed to" >&2
  exit 1
}

# The id of a new commit on top of what was fetched, which differs from it in site/data alone.
transplanted() {
  local -x GIT_INDEX_FILE="$keys/index"
  local tree
  git read-tree FETCH_HEAD &&
    git rm -r --force --quiet --cached --ignore-unmatch -- "$data" &&
    git read-tree --prefix="$data/" "HEAD:$data" &&
    tree="$(git write-tree)" &&
    as_us commit-tree "$tree" -p FETCH_HEAD -m "$(git log -1 --format=%B)"
}

verdict() {
  local ended=0
  told() {
    echo "error: $1" >&2
    ended=1
  }
  [[ ! -e "$alarm" ]] || told "the audit raised an alarm; the contamination page tells for whom"
  [[ "${BENCHPRESS_AUDIT:-success}" == success ]] || told "the audit did not end well; its step tells why"
  [[ "${BENCHPRESS_RUN:-success}" == success ]] || told "a shard did not end well; its job tells why"
  return "$ended"
}

# shown STEP...: run a step, and show what it said only after that was looked through: logs are read by others
shown() {
  version
  local log="build/evaluate/$1" code=0
  mkdir -p "$(dirname "$log")"
  BENCHPRESS_UNSEEN=1 "tools/${0##*/}" "$@" >"$log.out" 2>"$log.err" || code=$?
  "$program" leak-check --store "$BENCHPRESS_STORE" "$log.out" "$log.err" >"$log.check" || {
    echo "error: what '$1' said is not shown: leak-check did not pass it" >&2
    exit 1
  }
  cat "$log.out"
  cat "$log.err" >&2
  exit "$code"
}

case "${1:-}" in
  shards | announce | run) [[ $# -eq 2 ]] || { echo "error: $1 needs one argument; the head of this file tells" >&2; exit 2; } ;;
  install | fetch | audit | publish | push | verdict) [[ $# -eq 1 ]] || { echo "error: $1 takes no argument" >&2; exit 2; } ;;
  *) echo "error: no step '${1:-}'; the head of this file lists them" >&2; exit 2 ;;
esac
case "$1" in
  announce | run | audit | publish) [[ -n "${BENCHPRESS_UNSEEN:-}" ]] || shown "$@" ;;
esac
"$@"
