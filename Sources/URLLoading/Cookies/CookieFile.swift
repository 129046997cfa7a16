// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import Glibc

/// The file in which the toolchain's shared store keeps its cookies, looked at before the toolchain does.
///
/// The toolchain reads the file once, whole, with a parser that some bytes can end the process with (faults 0.2), takes
/// anything it does not understand for no cookies, and writes its own file in that place at the next cookie. So a file
/// that is no such list, is larger than any list of ours can be, or is no file is put aside first: it is renamed to
/// `.cookies.shared.damaged`, `-2` or `-3` beside it, and nothing of it is lost. A list whose damage still makes a list,
/// such as a bit in a value, looks like a whole one.
///
/// The toolchain replaces the file as a whole and never reads it again: of two processes the one that stored a cookie
/// last leaves its own cookies, and no mixture. A link is replaced, not what it leads to.
package enum CookieFile {
  /// Bytes of the largest file that is read; 3000 cookies of 4 KiB take half of it.
  static let sizeLimit: Int64 = 32 * 1024 * 1024
  /// How many files that were put aside are kept; from then on the last one gives way.
  static let asideLimit = 3

  /// How the toolchain's lists begin; with another encoding they are no such list to it.
  private static let beginning = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

  /// `HTTPCookieStorage.shared`, its file looked at before the first use of ours. A program that uses the store before
  /// that has let the toolchain read the file by itself. The first call may block.
  package static var shared: HTTPCookieStorage {
    _ = (hasChecked, hasFolder)
    return .shared
  }

  /// Looks at the file now, without the toolchain, which makes its folder.
  static func prepare() { _ = hasChecked }

  private static let hasChecked: Bool = {
    if let file = location { check(file) }
    protect()
    return true
  }()

  /// Makes the file's folder before the toolchain does, which lets everybody look into it; one that is there and belongs to
  /// this user is closed to others. So other users cannot read the file in the moment before `protect()` either, nor what a
  /// program stores without us.
  private static let hasFolder: Bool = {
    guard let folder = location?.deletingLastPathComponent() else { return false }
    try? FileManager.default.createDirectory(
      at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    mkdir(folder.path, 0o700)
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else { return false }
    return status.st_mode & 0o077 == 0 || fchmod(descriptor, status.st_mode & 0o700) == 0
  }()

  /// Lets only its owner read the shared store's file, which the toolchain writes anew for each cookie, for all to
  /// read. May block.
  static func protect() {
    guard let file = location else { return }
    let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else {
      return
    }
    fchmod(descriptor, 0o600)
  }

  /// Where the toolchain keeps the shared store: in a folder named after that of the program, without what follows its
  /// last dot (swift-corelibs-foundation, `HTTPCookieStorage.swift`).
  private static let location: URL? = {
    guard let data = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first,
      let folder = Bundle.main.bundlePath.split(separator: "/", omittingEmptySubsequences: false).last
    else { return nil }
    let name = folder.lastIndex(of: ".").map { folder[..<$0] } ?? folder
    return URL(fileURLWithPath: data.path + "/" + name + "/.cookies.shared")
  }()

  /// Puts the file aside unless it can be read, and removes what writers of it left that were killed. May block.
  static func check(_ file: URL) {
    LeftoverFiles.remove(in: file.deletingLastPathComponent())
    let descriptor = open(file.path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if [EACCES, ELOOP, ENXIO, EIO].contains(errno) { putAside(file) }
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    if isRegular, status.st_size <= sizeLimit, let bytes = read(descriptor, count: Int(status.st_size)),
      isStore(bytes)
    {
      return
    }
    // Another process may have put it aside meanwhile, and its own file in that place.
    var present = stat()
    guard stat(file.path, &present) == 0, (present.st_dev, present.st_ino) == (status.st_dev, status.st_ino) else {
      return
    }
    putAside(file)
  }

  /// Whether this is a list of lists, as the toolchain writes them.
  static func isStore(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: beginning.utf8), case .dictionary(let cookies)? = PropertyList(lenient: bytes) else {
      return false
    }
    return cookies.values.allSatisfy { if case .dictionary = $0 { true } else { false } }
  }

  private static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
    return bytes.count == count ? bytes : nil
  }

  private static func putAside(_ file: URL) {
    let names = (1...asideLimit).map { file.path + ".damaged" + ($0 == 1 ? "" : "-\($0)") }
    var status = stat()
    let free = names.first { lstat($0, &status) != 0 && errno == ENOENT }
    guard let name = free ?? names.last else { return }
    rename(file.path, name)
  }
}
