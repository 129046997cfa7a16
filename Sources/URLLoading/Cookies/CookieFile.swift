// SPDX-License-Identifier: Apache-2.0
import Foundation
package import FoundationNetworking
import Glibc

/// The file in which this program's shared store keeps its cookies, looked at before the toolchain does.
///
/// The toolchain reads the file once, whole, with a parser that some bytes can end the process with (faults 0.2), takes
/// anything it does not understand for no cookies, and writes its own file in that place at the next cookie. So a file
/// that is no such list, is larger than any list of ours can be, or is no file is put aside first: it is renamed to
/// `jar.damaged`, `-2` or `-3` beside it, and nothing of it is lost. A list whose damage still makes a list,
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

  /// The program's store, which the first call makes ready: that call may block.
  package static var shared: HTTPCookieStorage { store }

  /// Looks at the file now, without the toolchain and without making a folder.
  static func prepare() { _ = hasChecked }

  /// Looks at the file of the toolchain's own shared store, for a call of the toolchain's that opens that one.
  static func prepareLegacy() { _ = hasCheckedLegacy }

  /// Where the store's file lies; nil where the system names no folder for data.
  package static var location: URL? { CookiePlace.current?.file }

  private static let store: HTTPCookieStorage = {
    guard let place = CookiePlace.current else { return .sharedCookieStorage(forGroupContainerIdentifier: "own") }
    _ = hasChecked
    place.makeFolders()
    place.takeOver()
    return .sharedCookieStorage(forGroupContainerIdentifier: place.group)
  }()

  private static let hasChecked: Bool = {
    guard let place = CookiePlace.current else { return false }
    check(place.file)
    protect(place.file)
    protect(place.legacyFile)
    return true
  }()

  private static let hasCheckedLegacy: Bool = {
    guard let place = CookiePlace.current else { return false }
    place.makeFolder()
    check(place.legacyFile)
    protect(place.legacyFile)
    return true
  }()

  /// Lets only its owner read the store's file, which the toolchain writes anew for each cookie, for all to
  /// read. May block.
  static func protect() {
    if let place = CookiePlace.current { protect(place.file) }
  }

  private static func protect(_ file: URL) {
    let descriptor = unsafe open(file.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else {
      return
    }
    fchmod(descriptor, 0o600)
  }

  /// Puts the file aside unless it can be read, and removes what writers of it left that were killed. May block.
  /// - Returns: the list in it; nil without one.
  @discardableResult
  static func check(_ file: URL) -> [UInt8]? {
    LeftoverFiles.remove(in: file.deletingLastPathComponent())
    let descriptor = unsafe open(file.path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if [EACCES, ELOOP, ENXIO, EIO].contains(errno) { putAside(file) }
      return nil
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    if isRegular, status.st_size <= sizeLimit, let bytes = read(descriptor, count: Int(status.st_size)),
      isStore(bytes)
    {
      return bytes
    }
    // Another process may have put it aside meanwhile, and its own file in that place.
    var present = stat()
    guard unsafe stat(file.path, &present) == 0, (present.st_dev, present.st_ino) == (status.st_dev, status.st_ino)
    else {
      return nil
    }
    putAside(file)
    return nil
  }

  /// Whether this is a list of lists, as the toolchain writes them.
  static func isStore(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: beginning.utf8), case .dictionary(let cookies)? = PropertyList(lenient: bytes) else {
      return false
    }
    return cookies.values.allSatisfy { if case .dictionary = $0 { true } else { false } }
  }

  private static func read(_ descriptor: Int32, count: Int) -> [UInt8]? {
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled)
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
    let free = names.first { unsafe lstat($0, &status) != 0 && errno == ENOENT }
    guard let name = free ?? names.last else { return }
    unsafe rename(file.path, name)
  }
}
