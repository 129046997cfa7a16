// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc
public import LessonKit

/// The tools of Swift's toolchain that compile a person's own program.
public struct Toolchain: Sendable, Hashable {
  /// The path of `swiftc`.
  public let compiler: String
  /// The path of an archiver, LLVM's or the system's.
  let archiver: String
  /// The path of LLVM's tool that finds the line of an address; nil where there is none.
  let symbolizer: String?

  /// The tools that the variable PATH leads to.
  ///
  /// - Throws: `LessonKitError` with code `environment` when one is missing.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(LessonKitError) {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    guard let compiler = Self.find("swiftc", in: folders) else {
      throw LessonKitError(
        .environment,
        "A program of your own is compiled by swiftc, which is in no folder of PATH. Install Swift as "
          + "https://www.swift.org/install/linux says, or add its folder to PATH.")
    }
    let beside = URL(fileURLWithPath: compiler).resolvingSymlinksInPath().deletingLastPathComponent().path
    guard let archiver = Self.find("llvm-ar", in: [beside] + folders) ?? Self.find("ar", in: folders) else {
      throw LessonKitError(
        .environment, "The archiver llvm-ar or ar is in no folder of PATH. Install it: apt-get install binutils")
    }
    (self.compiler, self.archiver) = (compiler, archiver)
    symbolizer = Self.find("llvm-symbolizer", in: [beside] + folders)
  }

  /// The first of these folders' programs of that name.
  static func find(_ name: String, in folders: [String]) -> String? {
    folders.map { "\($0)/\(name)" }.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }
}
