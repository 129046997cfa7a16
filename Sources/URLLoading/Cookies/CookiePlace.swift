// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import HTTPRules

/// Where this program's cookies lie, and where those of before lie.
///
/// The toolchain's shared store has a file in a folder named after the executable's folder, so that all programs in
/// folders of one name share it: a user's release builds all do. Each program has a folder of its own within that one, of
/// mode 0700, for a file named `jar`.
package struct CookiePlace: Sendable {
  /// The toolchain's folder.
  var folder: URL
  /// The folder that holds nothing else.
  package var ownFolder: URL

  /// The program's own file.
  var file: URL { URL(fileURLWithPath: ownFolder.path + "/" + Self.fileName) }
  /// The file of the toolchain's shared store.
  var legacyFile: URL { URL(fileURLWithPath: folder.path + "/.cookies.shared") }

  /// - Parameters:
  ///   - folder: the toolchain's folder.
  ///   - program: what the program is called, as `name(identifier:executable:)` says.
  init(folder: URL, program: String) {
    self.folder = folder
    ownFolder = URL(fileURLWithPath: folder.path + "/.cookies." + program)
  }

  static let fileName = "jar"
}

// MARK: - Names

extension CookiePlace {
  /// The place of this process, below the user's folder for data (swift-corelibs-foundation, `HTTPCookieStorage.swift`);
  /// nil where the system names no such folder.
  package static let current: CookiePlace? = {
    guard let data = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first,
      let folder = Bundle.main.bundlePath.split(separator: "/", omittingEmptySubsequences: false).last
    else { return nil }
    // The toolchain leaves out what follows the last dot.
    let name = folder.lastIndex(of: ".").map { folder[..<$0] } ?? folder
    return CookiePlace(
      folder: URL(fileURLWithPath: data.path + "/" + name),
      program: program)
  }()

  /// This program's name.
  static let program = name(identifier: Bundle.main.bundleIdentifier, executable: executable)

  /// The path of the running program, without links.
  private static var executable: String {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    // The kernel says so of a program that was replaced while it runs (proc(5)).
    let gone = " (deleted)"
    guard let path else { return Bundle.main.executablePath ?? ProcessInfo.processInfo.arguments.first ?? "" }
    return path.hasSuffix(gone) ? String(path.dropLast(gone.count)) : path
  }

  /// The place of a group's store, which programs share.
  func group(_ identifier: String) -> CookiePlace {
    CookiePlace(folder: folder, program: "group-" + Self.name(identifier: nil, executable: identifier))
  }

  /// A program's name for its own store: its bundle's identifier, else the executable's name with a part of the hash of
  /// its path, so that programs of one name in different folders are different ones.
  static func name(identifier: String?, executable: String) -> String {
    if let identifier, identifier.utf8.count <= longestName, safe(identifier) == identifier, identifier.contains(".") {
      return identifier
    }
    let last = executable.split(separator: "/").last.map(String.init) ?? "program"
    let hash = MessageDigest.sha256.hex(executable.utf8) ?? ""
    return safe(last).prefix(longestName) + "-" + hash.prefix(16)
  }

  private static let longestName = 100

  private static func safe(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
  }
}

// MARK: - The folders and the first file

extension CookiePlace {
  /// Makes both folders. A toolchain's folder that is there already is closed to others only where it holds nothing but
  /// cookies: a program in a folder `applications` shares it with the desktop. The file is closed as well. May block.
  func makeFolders() {
    makeFolder()
    if unsafe mkdir(ownFolder.path, 0o700) != 0 { Self.shut(ownFolder, O_DIRECTORY) }
    Self.shut(file, 0)
  }

  private func makeFolder() {
    try? FileManager.default.createDirectory(
      at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    if unsafe mkdir(folder.path, 0o700) != 0, holdsOnlyCookies { Self.shut(folder, O_DIRECTORY) }
  }

  private var holdsOnlyCookies: Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return false }
    return names.allSatisfy { $0.hasPrefix(".cookies.") || LeftoverFiles.process(in: $0) != nil }
  }

  /// Takes the rights of all others from a folder or a file of this user's.
  private static func shut(_ url: URL, _ kind: Int32) {
    let descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK | O_NOCTTY | kind | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else {
      return
    }
    fchmod(descriptor, status.st_mode & 0o700)
  }
}
