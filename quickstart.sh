#!/bin/sh
# All the set-up, then the first matrix: four real games, their traces, a table of results.
# Safe to run again: what is installed stays, finished games are not played twice.
set -eu
cd "$(dirname "$0")"

root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

missing=""
PATH="$PATH:/usr/games:/usr/local/games" command -v freeciv-server >/dev/null || missing="freeciv-server"
command -v cc >/dev/null || missing="$missing gcc libc6-dev"
if [ -n "$missing" ]; then
  if ! command -v apt-get >/dev/null; then
    echo "quickstart: missing: $missing, and there is no apt-get here. Install them, then run this again." >&2
    exit 1
  fi
  root apt-get update -q
  # shellcheck disable=SC2086
  root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
fi
if ! command -v cargo >/dev/null; then
  echo "quickstart: cargo is missing. Install Rust 1.95 or newer with rustup (Debian's own is too old), then run this again." >&2
  exit 1
fi

cargo build --release --locked
exec ./target/release/saga run experiments/quickstart.toml "$@"
