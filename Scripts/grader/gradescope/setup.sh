#!/usr/bin/env bash
# Gradescope runs this once, with the network, as root, when it builds the image of the assignment.
set -euo pipefail

swiftly=/autograder/source/swiftly
cd /autograder/source/workbench
apt-get -qq update
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends bubblewrap ca-certificates curl gnupg git \
  binutils libc6-dev libstdc++-12-dev pkg-config
if ! command -v swift >/dev/null; then
  # Where the user of run_autograder may read.
  export SWIFTLY_HOME_DIR=$swiftly SWIFTLY_BIN_DIR=$swiftly/bin SWIFTLY_TOOLCHAINS_DIR=$swiftly/toolchains
  tools=$(mktemp -d)
  curl -fsSL "https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz" | tar -xz -C "$tools"
  "$tools/swiftly" init --assume-yes --skip-install
  # shellcheck disable=SC1091 # Swiftly has just written it.
  . "$SWIFTLY_HOME_DIR/env.sh"
  swiftly install --assume-yes 6.3
fi
# Installs, builds and prepares what is missing.
Scripts/workbench --version
chmod -R go+rX /autograder/source
# run_autograder works as a user without rights; a program compiled here warms that user's cache of modules up.
install -d -o 10001 -g 10001 /var/lib/workbench-grader
for tools in "$swiftly"/toolchains/*/usr/bin; do [[ ! -x $tools/swiftc ]] || PATH=$tools:$PATH; done
setpriv --reuid 10001 --regid 10001 --clear-groups env HOME=/var/lib/workbench-grader PATH="$PATH" \
  WORKBENCH_LESSONS="$PWD/Lessons" .build-shared/debug/workbench _prepare
