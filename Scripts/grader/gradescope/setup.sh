#!/usr/bin/env bash
# Gradescope runs this once, with the network, as root, when it builds the image of the assignment.
set -euo pipefail

cd /autograder/source/workbench
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends bubblewrap ca-certificates curl gnupg git \
  binutils libc6-dev libstdc++-12-dev pkg-config
if ! command -v swift >/dev/null; then
  tools=$(mktemp -d)
  curl -fsSL "https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz" | tar -xz -C "$tools"
  "$tools/swiftly" init --assume-yes --skip-install
  # shellcheck disable=SC1091 # Swiftly has just written it.
  . "$HOME/.local/share/swiftly/env.sh"
  swiftly install --assume-yes 6.3
fi
Scripts/setup
Scripts/workbench _prepare
