// SPDX-License-Identifier: Apache-2.0

/// The commands that make a sandbox. In both, the program is the first process of its namespace; a file or folder that is
/// not there is left out.
extension Sandbox {
  /// The program that makes the stronger of the two.
  static let bubblewrap = "/usr/bin/bwrap"

  /// A program stays in the grader's session, so the grader's terminal is hidden from it: no limit counts what a program writes
  /// there, and the grader could read it as keys.
  ///
  /// All that is made in memory to hold the mounts is read-only in the end, else a program could fill the memory with files.
  func bubblewrap(_ executable: String, _ scratch: String, _ authorities: String) -> [String] {
    // Root needs no namespace to mount, and in one of its own it could become no other user.
    var words = [Self.bubblewrap] + (user == nil ? ["--unshare-user"] : [])
    words += ["--unshare-pid", "--as-pid-1", "--unshare-ipc", "--unshare-uts", "--die-with-parent"]
    words += ["--proc", "/proc", "--dev", "/dev", "--dev-bind", "/dev/null", "/dev/tty"]
    for folder in Self.above(Self.system + Self.runtime + [executable, authorities, scratch]) {
      words += ["--dir", folder]
    }
    for file in Self.settings + Self.system + Self.runtime { words += ["--ro-bind-try", file, file] }
    words += ["--ro-bind", executable, executable, "--ro-bind", authorities, authorities, "--bind", scratch, scratch]
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--cap-drop", "ALL"]
    guard let user else { return words + ["--chdir", scratch, "--"] }
    // Without its rights root may not enter the folder of another user, so that one does.
    return words + ["--chdir", "/", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--"] + user.command
      + ["/usr/bin/env", "--chdir=\(scratch)"]
  }

  /// The folders above these files, from the root on. bubblewrap would make them for its own user alone.
  private static func above(_ files: [String]) -> [String] {
    let all = files.flatMap { file in
      let names = file.split(separator: "/").dropLast()
      return names.indices.map { "/" + names[...$0].joined(separator: "/") }
    }
    return Set(all).sorted()
  }

  /// The same by a script, in namespaces that `unshare` makes.
  func unshare(_ executable: String, _ scratch: String, _ authorities: String) -> [String] {
    var words = ["/usr/bin/unshare"]
    // Capabilities last until everything is mounted.
    if user == nil { words += ["--user", "--map-current-user", "--keep-caps"] }
    words += [
      "--pid", "--fork", "--kill-child", "--mount-proc", "--mount", "--propagation", "private", "--ipc", "--uts",
    ]
    words += ["/bin/sh", "-c", Self.script, "view", scratch] + Self.system + Self.runtime
    words += [executable, authorities, "--"] + Self.settings + ["--"]
    let user =
      user?.command ?? [
        "/usr/bin/setpriv", "--ambient-caps=-all", "--inh-caps=-all", "--no-new-privs", "--pdeathsig", "KILL",
      ]
    return words + user + ["--bounding-set=-all", "/usr/bin/env", "--chdir=\(scratch)"]
  }

  /// `SCRATCH FILE… -- SETTING… -- COMMAND…`: makes a root of its own of the files and the scratch folder, and executes
  /// the command there. The new root lies over /sys, which every system has and no program needs.
  ///
  /// A mount becomes read-only in a second step, in which the options stay that it has: a namespace of a user may not
  /// take them away (mount_namespaces(7)).
  private static let script = """
    set -eu
    root=/sys scratch=$1
    shift
    close() {
      options=
      while read -r _ _ _ _ place found _; do
        [ "$place" != "$1" ] || options=$found
      done </proc/self/mountinfo
      mount -o "remount,bind,ro${options#r?}" "$1"
    }
    show() {
      if [ -d "$1" ]; then
        mkdir -p "$root$1"
      else
        mkdir -p "$root${1%/*}"
        : >"$root$1"
      fi
      mount --rbind "$1" "$root$1"
    }
    mount -t tmpfs -o mode=755 none $root
    while [ "$1" != -- ]; do
      if [ -e "$1" ] && ! [ -e "$root$1" ]; then
        show "$1"
        [ -c "$1" ] || close "$root$1"
      fi
      shift
    done
    shift
    show "$scratch"
    for name in null zero full random urandom; do show /dev/$name; done
    show /proc
    while [ "$1" != -- ]; do
      if [ -e "$1" ]; then
        mount --rbind "$1" "$root$1"
        close "$root$1"
      fi
      shift
    done
    shift
    close $root
    PATH=$PATH:/usr/sbin:/sbin exec chroot $root "$@"
    """
}
