// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import HTTPRules

/// Where this program's cookies lie, and where those of before lie.
///
/// The toolchain's shared store has a file in a folder named after the executable's folder, so that all programs in
/// folders of one name share it: a user's release builds all do. Its stores for groups have a name of their own in that
/// folder, `.cookies.` and the group. A group of the form `name/jar` makes a folder of that, for the program alone and of mode
/// 0700: it hides the file even while the toolchain writes that with mode 0644.
struct CookiePlace: Sendable {
  /// The toolchain's folder.
  var folder: URL
  /// What the toolchain calls the program's own store.
  var group: String

  /// The program's own file.
  var file: URL { URL(fileURLWithPath: folder.path + "/.cookies." + group) }
  /// The folder that holds nothing else.
  var ownFolder: URL { file.deletingLastPathComponent() }
  /// The file of the toolchain's shared store.
  var legacyFile: URL { URL(fileURLWithPath: folder.path + "/.cookies.shared") }

  /// - Parameters:
  ///   - folder: the toolchain's folder.
  ///   - program: what the program is called, as `name(identifier:executable:)` says.
  init(folder: URL, program: String) {
    self.folder = folder
    group = program + "/" + Self.fileName
  }

  static let fileName = "jar"
  private static let emptyList = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict/>
    </plist>

    """
}

// MARK: - Names

extension CookiePlace {
  /// The place of this process, below the user's folder for data (swift-corelibs-foundation, `HTTPCookieStorage.swift`);
  /// nil where the system names no such folder.
  static let current: CookiePlace? = {
    guard let data = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first,
      let folder = Bundle.main.bundlePath.split(separator: "/", omittingEmptySubsequences: false).last
    else { return nil }
    // The toolchain leaves out what follows the last dot.
    let name = folder.lastIndex(of: ".").map { folder[..<$0] } ?? folder
    return CookiePlace(
      folder: URL(fileURLWithPath: data.path + "/" + name),
      program: Self.name(identifier: Bundle.main.bundleIdentifier, executable: executable))
  }()

  /// The path of the running program, without links.
  private static var executable: String {
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    // The kernel says so of a program that was replaced while it runs (proc(5)).
    let gone = " (deleted)"
    guard let path else { return Bundle.main.executablePath ?? ProcessInfo.processInfo.arguments.first ?? "" }
    return path.hasSuffix(gone) ? String(path.dropLast(gone.count)) : path
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
  /// Makes both folders before the toolchain does, which lets everybody look into what it makes. A toolchain's folder
  /// that is there already is closed to others only where it holds nothing but cookies: a program in a folder
  /// `applications` shares it with the desktop. May block.
  func makeFolders() {
    makeFolder()
    if unsafe mkdir(ownFolder.path, 0o700) != 0 { Self.shut(ownFolder) }
  }

  /// The toolchain's alone.
  func makeFolder() {
    try? FileManager.default.createDirectory(
      at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    if unsafe mkdir(folder.path, 0o700) != 0, holdsOnlyCookies { Self.shut(folder) }
  }

  private var holdsOnlyCookies: Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return false }
    return names.allSatisfy { $0.hasPrefix(".cookies.") || LeftoverFiles.process(in: $0) != nil }
  }

  /// Takes the rights of all others from a folder of this user's.
  private static func shut(_ folder: URL) {
    let descriptor = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else {
      return
    }
    fchmod(descriptor, status.st_mode & 0o700)
  }

  /// Takes over the cookies of the toolchain's shared store, once: where the program has no file of its own yet and none
  /// was put aside, it gets a copy of that store's file, or an empty list. May block.
  func takeOver() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ownFolder.path)) ?? []
    guard !names.contains(where: { $0.hasPrefix(Self.fileName) }) else { return }
    write(CookieFile.check(legacyFile) ?? Array(Self.emptyList.utf8))
  }

  /// Puts the bytes where the own file is to be, as a whole or not at all; a file that another process put there
  /// meanwhile stays.
  private func write(_ bytes: [UInt8]) {
    // Named like the toolchain's, so that one of a killed process is removed later.
    let number = String(getpid(), radix: 16)
    var template = Array((ownFolder.path + "/.dat.nosync\(number).XXXXXX").utf8CString)
    let descriptor = unsafe workbench_make_file(&template, 0)
    guard descriptor >= 0 else { return }
    defer { unsafe unlink(template) }
    var done = 0
    unsafe bytes.withUnsafeBytes { bytes in
      while done < bytes.count {
        let count = unsafe workbench_write_within_limit(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        done += count
      }
    }
    let isWhole = done == bytes.count && fsync(descriptor) == 0
    guard close(descriptor) == 0, isWhole else { return }
    // Some file systems have no links.
    if unsafe link(template, file.path) != 0, errno != EEXIST { unsafe rename(template, file.path) }
  }
}
