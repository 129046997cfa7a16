// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CCurl
import Exercises
import Foundation
import Glibc
import LessonKit
import LessonServer
import Lessons
import Transport

/// Looks at the machine, one need after the other.
enum Checkup {
  private static let leastSpace = 256 << 20

  /// All findings.
  static func all() async -> [Finding] {
    libraries() + [
      authorities(), temporaryFolder(), loopback(), memoryMark(), fileLimit(), compiler(), lessonFiles(), exercises(),
    ]
      + [await isolation()]
  }

  // MARK: - Libraries

  private static func libraries() -> [Finding] {
    [
      curl(library("libcurl", "libcurl.so.4", "curl_version", package: "libcurl4")),
      library("nghttp2", "libnghttp2.so.14", nil, package: "libnghttp2-14"),
      library("OpenSSL", "libssl.so.3", nil, package: "libssl3"),
      library("zlib", "libz.so.1", "zlibVersion", package: "zlib1g"),
    ]
  }

  /// The finding about libcurl, which says so where it is newer than any that the libraries were tried with.
  private static func curl(_ finding: Finding) -> Finding {
    guard finding.cure == nil, CurlFacts.current.isUntried else { return finding }
    let tried = CurlFacts.tried.map { CurlFacts(version: $0).name }.joined(separator: ", ")
    return Finding(
      subject: finding.subject,
      state:
        "libcurl \(CurlFacts.current.name): newer than any that was tried (\(tried)), so that doubt counts as an error",
      cure: "run Scripts/test --filter CurlFacts, and report what fails", isNeeded: false)
  }

  private static func library(_ name: String, _ file: String, _ version: String?, package: String) -> Finding {
    let subject = Phrase(verbatim: name)
    guard let handle = dlopen(file, RTLD_LAZY) else {
      return Finding(
        subject: subject, state: "\(file) is missing", cure: Phrase(verbatim: "apt-get install \(package)"))
    }
    defer { dlclose(handle) }
    guard let version, let symbol = dlsym(handle, version) else {
      return Finding(subject: subject, state: Phrase(verbatim: file))
    }
    typealias Version = @convention(c) () -> UnsafePointer<CChar>?
    let text = unsafeBitCast(symbol, to: Version.self)().map { String(cString: $0) } ?? file
    return Finding(subject: subject, state: Phrase(verbatim: text))
  }

  /// Looks for the authorities as the transport takes them: those of SSL_CERT_FILE, or of libcurl's own file. The lesson
  /// server has an authority of its own, so that the lessons do without.
  private static func authorities() -> Finding {
    let subject: Phrase = "trusted authorities"
    let named = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]
    let cure = Phrase(verbatim: named == nil ? "apt-get install ca-certificates" : "unset SSL_CERT_FILE")
    guard let file = named ?? ownAuthorities() else {
      return Finding(
        subject: subject, state: "this libcurl names no file of them",
        cure: Phrase(verbatim: "export SSL_CERT_FILE=A-FILE-OF-CERTIFICATES"), isNeeded: false)
    }
    let text = (try? Data(contentsOf: URL(fileURLWithPath: file))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let count = text.split(separator: "\n").count { $0.hasPrefix("-----BEGIN ") && $0.contains("CERTIFICATE") }
    guard count > 0 else {
      return Finding(
        subject: subject, state: "no certificate in \(file), so that no public server is trusted", cure: cure,
        isNeeded: false)
    }
    return Finding(subject: subject, state: "found \(Phrase.count(count, "certificate")) in \(file)")
  }

  /// The file that libcurl was built with (curl_version_info(3)).
  private static func ownAuthorities() -> String? {
    curl_version_info(CURLversion(rawValue: CURLVERSION_SEVENTH.rawValue))?.pointee.cainfo.map { String(cString: $0) }
  }

  // MARK: - The system

  private static func temporaryFolder() -> Finding {
    let folder = FileManager.default.temporaryDirectory.path
    let subject: Phrase = "temporary folder"
    guard access(folder, W_OK) == 0 else {
      return Finding(
        subject: subject, state: "\(folder) cannot be written to",
        cure: Phrase(verbatim: "export TMPDIR=A-FOLDER-OF-YOURS"))
    }
    var space = statvfs()
    statvfs(folder, &space)
    let free = Int(space.f_bavail) * Int(space.f_frsize)
    let state: Phrase = "\(folder), \(ByteCount(Int64(free & ~((1 << 20) - 1)))) free"
    guard free >= leastSpace else {
      return Finding(subject: subject, state: state, cure: "free some space there, or export TMPDIR=ANOTHER-FOLDER")
    }
    return Finding(subject: subject, state: state)
  }

  private static func loopback() -> Finding {
    let server = LessonServer()
    do throws(LessonServerError) {
      try server.start()
    } catch {
      return Finding(
        subject: "lesson server", state: Phrase(verbatim: "\(error)"), cure: Phrase(verbatim: "ip link set lo up"))
    }
    defer { server.stop() }
    if let refusal = LoopbackTrial.refusal(port: server.port) {
      return Finding(
        subject: "lesson server", state: "127.0.0.1 cannot be reached: \(refusal)",
        cure: Phrase(verbatim: "ip link set lo up"))
    }
    return Finding(subject: "lesson server", state: "listens on 127.0.0.1")
  }

  private static func memoryMark() -> Finding {
    let subject: Phrase = "memory high-water mark"
    let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard file >= 0, write(file, "5", 1) == 1 else {
      return Finding(
        subject: subject, state: "/proc/self/clear_refs cannot be written to",
        cure: "run on a kernel with CONFIG_PROC_PAGE_MONITOR and a writable /proc")
    }
    close(file)
    return Finding(subject: subject, state: "can be reset")
  }

  private static func fileLimit() -> Finding {
    let limit = LessonServer.raiseFileLimit()
    return Finding(
      subject: "limit of open files", state: Phrase(verbatim: "\(limit)"),
      cure: limit >= 1024 ? nil : Phrase(verbatim: "ulimit -n 1024"))
  }

  private static func compiler() -> Finding {
    do throws(LessonKitError) {
      return Finding(subject: "Swift compiler", state: Phrase(verbatim: try Toolchain().compiler))
    } catch {
      return Finding(
        subject: "Swift compiler", state: error.phrase,
        cure: Phrase(verbatim: "export PATH=FOLDER-OF-SWIFTC:$PATH"))
    }
  }

  /// Reports the isolation of the programs that `grade` runs, which a child finds out: this process stays in the machine's
  /// network. Students run their own, so that a weak one is no lack of the machine.
  private static func isolation() async -> Finding {
    let trial = await IsolationTrial.inChild([IsolationCommand.configuration.commandName].compactMap { $0 })
    return Finding(subject: "isolation of grade", state: trial.state, cure: trial.cure, isNeeded: false)
  }

  private static func exercises() -> Finding {
    let root = LessonText().root
    let faults = ExerciseInspection.faults(below: root)
    guard let first = faults.first else {
      let count = (try? ExerciseCourse(folder: root).exercises.count) ?? 0
      return Finding(subject: "exercises", state: "all \(count) in order")
    }
    return Finding(
      subject: "exercises", state: "\(first.file):\(first.line): \(first.sentence)",
      cure: Phrase(verbatim: "workbench doctor --lessons"))
  }

  private static func lessonFiles() -> Finding {
    let texts = LessonText()
    for lesson in Course.catalog.lessons {
      for language in Language.allCases {
        do throws(LessonKitError) {
          _ = try texts.text(of: lesson, in: language)
        } catch {
          let cure = Phrase(verbatim: "export \(LessonText.variable)=FOLDER-OF-THE-PACKAGE/Lessons")
          return Finding(subject: "lesson texts", state: error.phrase, cure: cure)
        }
      }
    }
    return Finding(subject: "lesson texts", state: "complete")
  }
}
