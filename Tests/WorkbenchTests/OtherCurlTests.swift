// SPDX-License-Identifier: Apache-2.0
import Foundation
import Subprocess
import SystemPackage
import Testing

/// `Scripts/other-curl` among stand-ins for the package manager.
@Suite(.timeLimit(.minutes(1))) struct OtherCurlTests {
  /// A copy of the script with tools of its own: apt-get(8) notes its sources list, and fetches a package that dpkg(1) makes
  /// a library of.
  struct Copy {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("other curl \(UUID())").path

    init() throws {
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Scripts/other-curl").path
      for folder in ["Scripts", "bin", "empty"] {
        try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      }
      try FileManager.default.copyItem(atPath: script, toPath: root + "/Scripts/other-curl")
      try write(
        """
        #!/bin/sh
        . /etc/os-release
        case $* in
          *indextargets*)
            echo "http://archive.example/others|$VERSION_CODENAME-updates|main"
            echo "http://archive.example/system|$VERSION_CODENAME|main" ;;
          *update*)
            for option; do case $option in Dir::Etc::SourceList=*) cat "${option#*=}" >> '\(root)/asked' ;; esac; done
            [ ! -e '\(root)/no-network' ] || { echo 'W: Failed to fetch'; exit 0; } ;;
          *download*)
            touch libcurl4_9.8.7_any.deb ;;
        esac
        """, to: "bin/apt-get")
      try write(
        """
        #!/bin/sh
        case $1 in
          -S) echo 'libcurl4:any: /usr/lib/any/libcurl.so.4' ;;
          -x) mkdir -p "$3/usr/lib/any" && echo 'libcurl/9.8.7 CURL_OPENSSL_4' > "$3/usr/lib/any/libcurl.so.4" ;;
        esac
        """, to: "bin/dpkg")
    }

    func write(_ text: String, to name: String) throws {
      try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: "\(root)/\(name)"))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(root)/\(name)")
    }

    func call(_ arguments: String..., path: String? = nil) async throws -> Command.Result {
      let inherited = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let environment: [Environment.Key: String?] = [
        "PATH": path ?? "\(root)/bin:\(inherited)", "LD_LIBRARY_PATH": nil,
      ]
      let result = try await Subprocess.run(
        .path(FilePath(root + "/Scripts/other-curl")), arguments: Arguments(arguments),
        environment: Command.environment(environment), output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
      return Command.Result(
        status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }

    func asked() -> String { (try? String(contentsOfFile: root + "/asked", encoding: .utf8)) ?? "" }
  }

  @Test func `a backport comes from the system's own archive once, and the command is started with it`() async throws {
    let copy = try Copy()
    defer { copy.remove() }
    let folder = copy.root + "/.build/other-curl/backport/usr/lib/any"
    for _ in 1...2 {
      let result = try await copy.call("backport", "sh", "-c", "echo $LD_LIBRARY_PATH; exit 7")
      #expect(result.status == .exited(7), "\(result.errors)")
      #expect(result.output == folder + "\n")
    }
    #expect(try await copy.call("backport").output == "libcurl 9.8.7 in \(folder)\n")
    let lines = copy.asked().split(separator: "\n")
    #expect(lines.count == 1)
    let pattern = /deb http:\/\/archive\.example\/system [a-z]+-backports main/
    #expect(lines.allSatisfy { $0.wholeMatch(of: pattern) != nil }, "\(lines)")
  }

  @Test func `where no backport can be had the call ends with 3, says why and leaves nothing`() async throws {
    let copy = try Copy()
    defer { copy.remove() }
    try copy.write("", to: "no-network")
    let result = try await copy.call("backport", "true")
    #expect(result.status == .exited(3))
    let pattern = /W: .*\nother-curl: apt-get could not read [a-z]+-backports; .* Without network it cannot\.\n/
    #expect(result.errors.wholeMatch(of: pattern) != nil, "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy.root + "/.build/other-curl").isEmpty)
  }

  @Test func `a system without apt-get has no backport`() async throws {
    let copy = try Copy()
    defer { copy.remove() }
    for tool in ["bash", "readlink", "find", "env"] {
      let found = ["/usr/bin/", "/bin/"].map { $0 + tool }.first { FileManager.default.isExecutableFile(atPath: $0) }
      try FileManager.default.createSymbolicLink(
        atPath: "\(copy.root)/empty/\(tool)", withDestinationPath: try #require(found))
    }
    let result = try await copy.call("backport", "true", path: copy.root + "/empty")
    #expect(result.status == .exited(3))
    #expect(
      result.errors
        == "other-curl: a backport is Debian's, and this system has no apt-get: give a version and --sources.\n")
  }

  @Test func `what cannot be done is refused with the value and the cure`() async throws {
    let copy = try Copy()
    defer { copy.remove() }
    try copy.write("libcurl/8.1.2 CURL_OPENSSL_4", to: "empty/libcurl.so.4")
    try copy.write("", to: "empty/ld-linux-any.so.2")
    let empty = copy.root + "/empty"
    let bin = copy.root + "/bin"
    let cases: [([String], String)] = [
      ([], "which libcurl?"),
      (["8.5"], "“8.5” is no version of libcurl"),
      (["8.5.0", "true"], "libcurl 8.5.0 is not here yet: build it once with --sources PLACE."),
      (["--sources", "/nowhere", "8.5.0"], "--sources /nowhere: there is no such folder."),
      (["--sources", bin, "8.5.0"], "has neither a tag curl-8_5_0 nor the sources of curl"),
      (["--sources", bin, "backport"], "give neither --sources nor --packages"),
      (["--packages", bin, "8.5.0", "true"], "has no libcurl.so.4: unpack libcurl4"),
      (["--packages", empty, "8.5.0", "true"], "is libcurl 8.1.2, not 8.5.0."),
      (["--packages", empty, "8.1.2", "timeout", "9", "true"], "timeout starts another program"),
      (["--packages", empty, "8.1.2", bin + "/dpkg"], "is no program but a script"),
      (["--packages", empty, "--headers", "8.1.2", "true"], "no compiler can be started"),
    ]
    for (arguments, sentence) in cases {
      let result = try await Subprocess.run(
        .path(FilePath(copy.root + "/Scripts/other-curl")), arguments: Arguments(arguments),
        environment: Command.environment(), output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
      #expect(result.terminationStatus == .exited(64), "\(arguments)")
      #expect(result.standardError.contains(sentence), "\(arguments): \(result.standardError)")
    }
  }
}
