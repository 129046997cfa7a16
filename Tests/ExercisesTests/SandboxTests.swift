// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Exercises

/// The abilities of a program within each sandbox that works on this machine, tried by the shell.
@Suite(.timeLimit(.minutes(2))) struct SandboxTests {
  private static let all = [Sandbox.Kind.bubblewrap, .unshare].flatMap { kind in
    [OtherUser(), nil].map { Sandbox(kind: kind, user: $0) }
  }

  private let folder: TestFolder
  private let scratch: String

  init() throws {
    folder = try TestFolder()
    scratch = try folder.write([], to: "scratch/given").replacing("/given", with: "")
    chmod(folder.url.path, 0o700)
  }

  /// Returns the output of the shell within the sandbox, nil where that does not work on this machine.
  private func output(_ script: String, in sandbox: Sandbox) async throws -> [String]? {
    guard await sandbox.works() else { return nil }
    sandbox.makeHome(in: scratch)
    let authorities = try folder.write("authorities\n".utf8, to: "authority.pem")
    let command = sandbox.wrapper("/bin/sh", scratch, authorities) + ["/bin/sh", "-c", script]
    return try await ToolRun(command[0], Array(command.dropFirst())).output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: all) func `a program writes to its own folder, and the grader reads and removes it`(
    _ sandbox: Sandbox
  ) async throws {
    let script =
      "umask 077; mkdir inner && echo more >inner/file && echo >>given && cat $SSL_CERT_FILE && pwd && echo $HOME && : >$HOME/x"
    guard let lines = try await output(script, in: sandbox) else { return }
    #expect(lines == ["authorities", scratch, scratch + "/.home"])
    #expect(try String(contentsOfFile: scratch + "/inner/file", encoding: .utf8) == "more\n")
    try FileManager.default.removeItem(atPath: scratch)
  }

  @Test(arguments: all) func `a program can write to nothing else, the kernel's settings least of all`(
    _ sandbox: Sandbox
  ) async throws {
    let script =
      "find / -path /proc/1 -prune -o -path /proc/self -prune -o -path /proc/thread-self -prune -o -path '/proc/[0-9]*' "
      + "-prune -o -writable ! -type l ! -type c -print 2>&1; cat /proc/sys/kernel/ostype"
    guard let lines = try await output(script, in: sandbox) else { return }
    #expect(lines.last == "Linux")
    let foreign = lines.dropLast().filter {
      !$0.hasPrefix(scratch) && !$0.hasPrefix("/dev/") && !$0.hasSuffix("Permission denied")
    }
    #expect(foreign.isEmpty, "\(foreign.prefix(20))")
  }

  @Test(arguments: all) func `a program sees no file of the grader's and no process but its own, and has no right`(
    _ sandbox: Sandbox
  ) async throws {
    try folder.write("secret".utf8, to: "secret")
    let script =
      "cat \(folder.url.path)/secret 2>/dev/null; ls -d /root /home /var /etc/passwd 2>/dev/null; echo $$; "
      + "tr '\\0' ' ' </proc/1/cmdline | cut -c1-10; echo; grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status | cut -f2 | sort -u; "
      + "id -u; mount -t tmpfs none /usr 2>/dev/null || chroot / /bin/true 2>/dev/null || echo refused"
    guard let lines = try await output(script, in: sandbox) else { return }
    let user = sandbox.user?.id ?? geteuid()
    #expect(lines == ["1", "/bin/sh -c", "0000000000000000", "\(user)", "refused"])
    if sandbox.user != nil { #expect(user > 1000) }
  }

  @Test func `the strongest sandbox of a machine with bubblewrap is bubblewrap, with a user of its own for root`() async
  {
    guard await Sandbox(kind: .bubblewrap, user: OtherUser()).works() else { return }
    let sandbox = await Sandbox.strongest()
    #expect(sandbox.kind == .bubblewrap && (sandbox.user != nil) == (geteuid() == 0))
  }
}
