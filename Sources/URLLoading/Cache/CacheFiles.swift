// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import FoundationNetworking
import Glibc
import HTTPRules
import Locking

/// The files of a cache with a disk, looked at before the toolchain reads them. Every call may block.
///
/// The toolchain reads a stored response with an unarchiver that a single changed bit can end the process with. So each
/// file that is written for us gets a digest of its bytes as an extended attribute (xattr(7)), which comes and goes with
/// it, and one that does not match it is removed before the cache reads it. So is one without a digest from before this
/// process, as a copy is, or any file where the file system has no such attributes. Without a digest the cache reads later
/// files alone: what the program stored by itself, and what another process is about to seal.
///
/// Only their owner can read the folder and what is stored for us, whatever the toolchain made them.
struct CacheFiles: Sendable {
  private static let attribute = "user.workbench.digest"
  private static let knownLimit = 4096

  private let folder: URL
  /// Keys under which this process has sealed or checked what there is.
  private let known = Locked<Set<String>>([])
  private let listing: Locked<CacheListing>

  /// Nil for a cache without a disk, or one whose folder cannot be known.
  init?(_ cache: URLCache) {
    guard let folder = cache.folder else { return nil }
    self.folder = folder
    listing = Locked(CacheListing(folder.path))
  }

  /// Removes what writers left that were killed, and closes the folder to others.
  func tidyUp() {
    unsafe chmod(folder.path, 0o700)
    LeftoverFiles.remove(in: folder)
  }

  /// Gives what was just stored under this URL its digest.
  func seal(_ url: URL) {
    forEach(url) { descriptor, _ in
      fchmod(descriptor, 0o600)
      guard var digest = Self.digest(descriptor) else { return }
      unsafe fsetxattr(descriptor, Self.attribute, &digest, MemoryLayout.size(ofValue: digest), 0)
    }
  }

  /// Removes what is stored under this URL and is not what was sealed; each process looks once.
  func check(_ url: URL) {
    forEach(url, unlessKnown: true) { descriptor, path in
      var sealed: UInt64 = 0
      let size = MemoryLayout.size(ofValue: sealed)
      if unsafe fgetxattr(descriptor, Self.attribute, &sealed, size) == size {
        if Self.digest(descriptor) != sealed { unsafe unlink(path) }
      } else if !Self.isNew(descriptor) {
        unsafe unlink(path)
      }
    }
  }

  /// Whether the file came to its place, or was changed, since this process began.
  private static func isNew(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, let beginning = ProcessBeginning.seconds else { return false }
    return Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) / 1e9 >= beginning
  }

  private func forEach(_ url: URL, unlessKnown: Bool = false, _ body: (Int32, String) -> Void) {
    guard let key = Self.key(url) else { return }
    let isKnown = known.withLock { known in
      if known.count >= Self.knownLimit { known.removeAll(keepingCapacity: true) }
      return !known.insert(key).inserted
    }
    guard !isKnown || !unlessKnown else { return }
    for name in listing.withLock({ $0.files(for: key) }) {
      let path = folder.appendingPathComponent(name).path
      let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      body(descriptor, path)
      close(descriptor)
    }
  }

  /// What the toolchain names files by (swift-corelibs-foundation, `URLCache.swift`); nil where it has none.
  private static func key(_ url: URL) -> String? {
    guard let host = url.host else { return nil }
    var bytes = Data()
    for part in [host.lowercased(), "\(url.port ?? -1)", url.path] { bytes += Data(part.utf8) + [0] }
    return bytes.base64EncodedString()
  }

  /// Nil where the file cannot be read.
  private static func digest(_ descriptor: Int32) -> UInt64? {
    var digest = DamageDigest.empty
    var buffer = Data(count: 64 * 1024)
    var offset: off_t = 0
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, offset) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return digest }
      digest = DamageDigest.of(buffer.prefix(count), after: digest)
      offset += off_t(count)
    }
  }
}
