// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import LessonServer
import Lessons

/// Looks at the machine, one need after the other.
enum Checkup {
  private static let leastSpace = 256 << 20

  /// All findings.
  static func all() -> [Finding] {
    libraries() + [temporaryFolder(), loopback(), memoryMark(), fileLimit(), lessonFiles()]
  }

  // MARK: - Libraries

  private static func libraries() -> [Finding] {
    [
      library("libcurl", "libcurl.so.4", "curl_version", package: "libcurl4"),
      library("nghttp2", "libnghttp2.so.14", nil, package: "libnghttp2-14"),
      library("OpenSSL", "libssl.so.3", nil, package: "libssl3"),
      library("zlib", "libz.so.1", "zlibVersion", package: "zlib1g"),
    ]
  }

  private static func library(_ name: String, _ file: String, _ version: String?, package: String) -> Finding {
    guard let handle = dlopen(file, RTLD_LAZY) else {
      return Finding(subject: name, state: "\(file) is missing", cure: "apt-get install \(package)")
    }
    defer { dlclose(handle) }
    guard let version, let symbol = dlsym(handle, version) else { return Finding(subject: name, state: file) }
    typealias Version = @convention(c) () -> UnsafePointer<CChar>?
    let text = unsafeBitCast(symbol, to: Version.self)().map { String(cString: $0) } ?? file
    return Finding(subject: name, state: text)
  }

  // MARK: - The system

  private static func temporaryFolder() -> Finding {
    let folder = FileManager.default.temporaryDirectory.path
    let subject = "temporary folder"
    guard access(folder, W_OK) == 0 else {
      return Finding(subject: subject, state: "\(folder) cannot be written to", cure: "export TMPDIR=A-FOLDER-OF-YOURS")
    }
    var space = statvfs()
    statvfs(folder, &space)
    let free = Int(space.f_bavail) * Int(space.f_frsize)
    let state = "\(folder), \(ByteCount(Int64(free & ~((1 << 20) - 1)))) free"
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
      return Finding(subject: "lesson server", state: "\(error)", cure: "ip link set lo up")
    }
    defer { server.stop() }
    return Finding(subject: "lesson server", state: "listens on 127.0.0.1")
  }

  private static func memoryMark() -> Finding {
    let subject = "memory high-water mark"
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
    let subject = "limit of open files"
    return limit >= 1024
      ? Finding(subject: subject, state: "\(limit)")
      : Finding(subject: subject, state: "\(limit)", cure: "ulimit -n 1024")
  }

  private static func lessonFiles() -> Finding {
    let texts = LessonText(root: Course.folder)
    for lesson in Course.catalog.lessons {
      for language in LessonText.Language.allCases {
        do throws(LessonKitError) {
          _ = try texts.text(of: lesson, in: language)
        } catch {
          let cure = "export \(LessonText.variable)=THE-PACKAGE'S-FOLDER/Lessons"
          return Finding(subject: "lesson texts", state: "\(error)", cure: cure)
        }
      }
    }
    return Finding(subject: "lesson texts", state: "complete")
  }
}
