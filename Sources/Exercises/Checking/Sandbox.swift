// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// What stands around the processes of programs that are not trusted.
///
/// Within bubblewrap a program sees the system's and the toolchain's files, its own executable and its own folder, and can
/// write to that folder alone; it sees no process but its own. `unshare` hides other processes, not files. In either it
/// has an environment of its own. The network is the checking process's, see `OwnNetwork`: the lesson server is in it.
public struct Sandbox: Sendable, Hashable {
  private enum Kind: Sendable, Hashable {
    case none, bubblewrap, unshare
  }

  /// Read-only inside.
  private static let system = ["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ssl", "/etc/localtime"]

  private let kind: Kind
  /// What to say where there is less than there could be, a sentence each; empty where nothing lacks.
  public let lacks: [Phrase]

  /// Nothing but the limits.
  public static let none = Sandbox(kind: .none, lacks: [])

  /// The strongest that works on this machine: bubblewrap, else unshare, else none, with sentences on what is missing.
  public static func strongest() async -> Sandbox {
    let network: [Phrase] =
      OwnNetwork.isEntered
      ? []
      : [
        "Programs reach this machine's network: a network of their own takes the right to make namespaces (root, or "
          + "user.max_user_namespaces above 0; in a container the capability SYS_ADMIN or no network at all)."
      ]
    for kind in [Kind.bubblewrap, .unshare] {
      let files: [Phrase] =
        kind == .bubblewrap ? [] : ["bubblewrap does not work here: programs can read files of this user."]
      let sandbox = Sandbox(kind: kind, lacks: files + network)
      if await sandbox.works() { return sandbox }
    }
    return Sandbox(
      kind: .none,
      lacks: [
        "Programs are not isolated: neither bubblewrap (apt-get install bubblewrap) nor unshare may make a namespace "
          + "here. They can read files of this user."
      ] + network)
  }

  private func works() async -> Bool {
    let folder = FileManager.default.temporaryDirectory.path
    guard let command = command("/bin/true", folder, "/dev/null") else { return true }
    return (try? await ToolRun(command[0], command.dropFirst() + ["/bin/true"]).succeeded) ?? false
  }

  /// The command that starts a program within it, nil for none.
  var wrapper: Runner.Wrapper? {
    guard kind != .none else { return nil }
    return { executable, scratch, authorities in command(executable, scratch, authorities) ?? [] }
  }

  private func command(_ executable: String, _ scratch: String, _ authorities: String) -> [String]? {
    let own = environment(scratch, authorities)
    return switch kind {
    case .none: nil
    case .unshare:
      own + [
        "/usr/bin/unshare", "--user", "--map-current-user", "--pid", "--fork", "--kill-child", "--mount-proc", "--ipc",
      ]
    case .bubblewrap: own + bubblewrap(executable, scratch, authorities)
    }
  }

  /// Makes the home folder of the program whose folder this is: the libraries keep cookies and cached responses there. Call
  /// it before that folder is watched, see `FolderWatch`.
  func makeHome(in scratch: String) {
    guard kind != .none else { return }
    try? FileManager.default.createDirectory(atPath: Self.home(in: scratch), withIntermediateDirectories: true)
  }

  private static func home(in scratch: String) -> String { scratch + "/.home" }

  /// Starts the rest with nothing of the grader's environment, in which an engine may keep secrets. The
  /// sandbox's own process is visible inside, so it must not have it either.
  private func environment(_ scratch: String, _ authorities: String) -> [String] {
    [
      "/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=\(Self.home(in: scratch))", "TMPDIR=\(scratch)",
      "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no", "SSL_CERT_FILE=\(authorities)",
    ]
  }

  /// A program stays in the grader's session, so the grader's terminal is hidden from it: no limit counts what a program writes
  /// there, and the grader could read it as keys.
  ///
  /// All that is made in memory to hold the mounts is read-only in the end, else a program could fill the memory with files.
  private func bubblewrap(_ executable: String, _ scratch: String, _ authorities: String) -> [String] {
    var words = ["/usr/bin/bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    words += ["--die-with-parent", "--proc", "/proc", "--dev", "/dev", "--dev-bind", "/dev/null", "/dev/tty"]
    for folder in Self.system + Self.runtime { words += ["--ro-bind-try", folder, folder] }
    words += ["--ro-bind", executable, executable, "--ro-bind", authorities, authorities, "--bind", scratch, scratch]
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", scratch, "--cap-drop", "ALL", "--"]
    return words
  }

  /// The folder of Swift's runtime, which lies beside the compiler that links the programs; none where there is no compiler.
  private static let runtime: [String] = {
    guard let tools = try? Toolchain() else { return [] }
    let folder = URL(fileURLWithPath: tools.compiler).resolvingSymlinksInPath().deletingLastPathComponent()
    return [folder.appendingPathComponent("../lib/swift/linux").standardizedFileURL.path]
  }()
}
