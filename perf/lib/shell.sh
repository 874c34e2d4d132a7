# Part of Weir. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the shell scripts in perf and .ci share; they source this file, with their
# name in `script`.

# Prints the comment at the head of the script, which says how to use it.
usage() { sed -n '2,/^set/p' "${BASH_SOURCE[0]%/*}/../../$script" | sed '$d; s/^# \{0,1\}//'; }

# Fails if there is no program of this name. The script's own name is in `script`.
#   needs PROGRAM HOW-TO-INSTALL-IT
needs() {
  command -v "$1" >/dev/null && return
  echo "$script: needs $1, which is not installed: $2, or add its directory to PATH" >&2
  exit 69
}
needs_swift() { needs swift "install Swift 6.3 (swift.org/install)"; }
needs_python() { needs python3 "apt-get install python3"; }

# For builds with a sanitizer: atomic operations that can be delayed, and no copies of local variables for a debugger.
# Such a copy is cleared first, by a call that the sanitizer checks, which took a third of the time of the tests.
# shellcheck disable=SC2034
hooked_flags=(-Xcc -DWEIR_ATOMICS_HOOK=1 -Xswiftc -Xfrontend -Xswiftc -disable-debugger-shadow-copies)

# A path in quotes, for the options of a sanitizer, where a space or a colon would end it. Either kind of quotes will
# do, but there is no escape for a quote in them.
quoted() {
  case "$1" in
    *'"'*) printf "'%s'" "$1" ;;
    *) printf '"%s"' "$1" ;;
  esac
}

# Runs a command that ends when the script is told to end, by Ctrl-C or SIGTERM. A shell heeds a signal only when the
# command in the foreground has ended, and then that runs on alone: so the command runs in the background.
stoppable() {
  local status=0
  # Needed only here: it gives the command a process group of its own, and interrupts are not ignored in it.
  set -m
  "$@" &
  running=$!
  set +m
  wait "$running" || status=$?
  running=
  return "$status"
}
running=

# Ends the command that runs. Its process group is interrupted, as by Ctrl-C. Where interrupts are ignored, as in what a
# script starts in the background, the command itself is told to end, and may end what it has started elsewhere, as
# `.ci/watched` does with tests. What is left of the group is killed.
stop_running() {
  [ -n "$running" ] || return 0
  kill -INT -- "-$running" 2>/dev/null || true
  ends_within 2 || kill -TERM "$running" 2>/dev/null || true
  ends_within 8 || true
  kill -KILL -- "-$running" 2>/dev/null || true
}

# Whether the command that runs ends within so many seconds.
ends_within() {
  local left
  for ((left = $1 * 20; left > 0; left--)); do
    kill -0 "$running" 2>/dev/null || return 0
    sleep 0.05
  done
  return 1
}

trap stop_running EXIT
# A second signal must not cut short what the first one has begun.
trap 'trap "" INT TERM; exit 130' INT
trap 'trap "" INT TERM; exit 143' TERM
