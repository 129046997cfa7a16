// SPDX-License-Identifier: Apache-2.0
import Foundation
public import LessonKit

/// The isolation around the processes of programs that are not trusted.
///
/// Within it a program sees the system's and the toolchain's files, its own executable and its own folder, and can write to
/// that folder alone; it sees no process but its own, which is the first of its namespace, so there is none around it that it
/// could read or write. bubblewrap makes that, or a script for `unshare` where there is no bubblewrap. A program that root
/// grades runs as a user of its own, see `OtherUser`. It has an environment of its own. The network is the checking
/// process's, see `OwnNetwork`: the lesson server is in it.
public struct Sandbox: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case none, bubblewrap, unshare
  }

  /// Read-only inside.
  static let system = ["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc/ssl", "/etc/localtime"]
  /// Where the kernel lets its settings be changed (proc(5)); read-only inside.
  static let settings = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "pressure", "mtrr"]
    .map { "/proc/\($0)" }

  let kind: Kind
  /// As whom programs run; nil for the grader's own user.
  let user: OtherUser?
  /// The remarks where there is less than there could be, a sentence each; empty where nothing lacks.
  public let lacks: [Phrase]

  init(kind: Kind, user: OtherUser? = nil, lacks: [Phrase] = []) {
    (self.kind, self.user, self.lacks) = (kind, user, lacks)
  }

  /// Nothing but the limits and an environment of its own.
  public static let none = Sandbox(kind: .none)

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
        kind == .bubblewrap
        ? [] : ["bubblewrap does not work here (apt-get install bubblewrap), so unshare stands in for it."]
      for user in geteuid() == 0 ? [OtherUser(), nil] : [nil] {
        let rights: [Phrase] =
          geteuid() != 0 || user != nil
          ? [] : ["Programs run as root, for no other user can be taken here: grade as an ordinary user."]
        let sandbox = Sandbox(kind: kind, user: user, lacks: files + rights + network)
        if await sandbox.works() { return sandbox }
      }
    }
    return Sandbox(
      kind: .none,
      lacks: [
        "Programs are not isolated: neither bubblewrap (apt-get install bubblewrap) nor unshare may make a namespace "
          + "here. They can read and write whatever this user can, reports and compiled programs of others among it."
      ] + network)
  }

  /// Makes sure that nothing lacks.
  ///
  /// - Throws: `LessonKitError` with code `environment` that says what does.
  public func requireIsolation() throws(LessonKitError) {
    guard let first = lacks.first else { return }
    let all = lacks.dropFirst().reduce(first) { "\($0) \($1)" }
    throw LessonKitError(.environment, "Nothing was graded, for isolation is required: \(all)")
  }

  /// True if a program starts within it, can write to its folder, and cannot write to the kernel's settings.
  func works() async -> Bool {
    let folder = FileManager.default.temporaryDirectory.path + "/workbench-trial-\(UUID().uuidString)"
    guard mkdir(folder, 0o700) == 0 else { return false }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    makeHome(in: folder)
    let authorities = folder + "/authorities"
    guard FileManager.default.createFile(atPath: authorities, contents: nil),
      case let command = wrapper("/bin/sh", folder, authorities)
    else { return false }
    let trial = ": >trial && ! [ -w /proc/sys/kernel/core_pattern ] && ! [ -w /proc/sysrq-trigger ]"
    return (try? await ToolRun(command[0], command.dropFirst() + ["/bin/sh", "-c", trial]).succeeded) ?? false
  }

  /// The command that starts a program within it. Making it hands the folder over to the program's user.
  var wrapper: Runner.Wrapper {
    { executable, scratch, authorities in
      if let user {
        user.own(scratch)
        // It is a file of the grader's own; the mask for new files may have closed it.
        chmod(authorities, 0o644)
      }
      let own = environment(scratch, authorities)
      return switch kind {
      case .none: own
      case .bubblewrap: own + bubblewrap(executable, scratch, authorities)
      case .unshare: own + unshare(executable, scratch, authorities)
      }
    }
  }

  /// Makes the home folder of the program whose folder this is: the libraries keep cookies and cached responses there. Call
  /// it before that folder is watched, see `FolderWatch`.
  func makeHome(in scratch: String) {
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

  /// The folder of Swift's runtime, which lies beside the compiler that links the programs; none where there is no compiler.
  static let runtime: [String] = {
    guard let tools = try? Toolchain() else { return [] }
    let folder = URL(fileURLWithPath: tools.compiler).resolvingSymlinksInPath().deletingLastPathComponent()
    return [folder.appendingPathComponent("../lib/swift/linux").standardizedFileURL.path]
  }()
}
