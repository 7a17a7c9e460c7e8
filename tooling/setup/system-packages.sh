#!/bin/sh
# Runs before the install: the native addon needs a compiler, the product needs git (and, for a run, bubblewrap and socat).
# As root on a Debian-like system what is missing is installed; elsewhere it is named.
set -eu

missing=''
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need g++ g++
need make make
need python3 python3
need git git
need bwrap bubblewrap
need socat socat
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null
  # shellcheck disable=SC2086
  apt-get install -y -qq --no-install-recommends $missing >/dev/null
  echo "atelier: installed$missing"
  exit 0
fi
echo "atelier: please install these system packages first:$missing" >&2
echo "atelier: on Debian or Ubuntu: sudo apt-get install$missing" >&2
exit 1
