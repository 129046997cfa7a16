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
  archive=$tools/swiftly.tar.gz
  curl -fsSL -o "$archive" "https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz"
  curl -fsSL -o "$archive.sig" "https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz.sig"
  # The keys are another host's, and nothing of the archive runs, or is unpacked, unless one of them has signed it.
  export GNUPGHOME=$tools/keys
  install -d -m 0700 "$GNUPGHOME"
  curl -fsSL https://www.swift.org/keys/all-keys.asc | gpg --quiet --import
  gpg --verify "$archive.sig" "$archive" || {
    echo "setup.sh: the signature of $archive is not one of swift.org's keys: nothing was installed" >&2
    exit 1
  }
  tar -xzf "$archive" -C "$tools"
  unset GNUPGHOME
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
