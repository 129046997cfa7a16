// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Dispatch
import FoundationEssentials
import Glibc
import Locking

/// The authorities that the system trusts, in memory: the file of SSL_CERT_FILE, or else libcurl's own, and libcurl's folder.
///
/// libcurl and OpenSSL read them in the midst of a handshake, on the I/O thread, where a disk that blocks stops every load of the
/// process. Here a queue of their own reads them; loads over TLS wait for the first time, and all sessions share what was read.
/// After 24 hours, as with libcurl (CURLOPT_CA_CACHE_TIMEOUT), the next connection has them read anew, for those behind it.
final class SystemAuthorities: Sendable {
  /// What was read of one file.
  private struct Read {
    /// Nil where the file has no certificate that can be read. libcurl then reads it, and says what is wrong.
    let store: AuthorityStore?
    /// In nanoseconds of the monotonic clock.
    let time: Int64
  }

  private struct State {
    var read: [String: Read] = [:]
    /// Who waits for a file that is being read.
    var waiting: [String: [@Sendable () -> Void]] = [:]
  }

  static let shared = SystemAuthorities()

  private let queue = DispatchQueue(label: "url-authorities")
  /// True once the process ends. Held while OpenSSL makes certificates, which needs tables that its own handler then takes away.
  private let isOver = Locked(false)
  private let state = Locked(State())
  private static let lifetime = MonotonicClock.nanoseconds(.seconds(24 * 3600))

  /// True if there are such in memory.
  var areKnown: Bool {
    guard let file = PeerCertificates.systemFile else { return false }
    return state.withLock { $0.read[file]?.store != nil }
  }

  /// Has the connections of `context` (SSL_CTX) trust them; false where there are none in memory.
  func trust(by context: OpaquePointer) -> Bool {
    guard let file = PeerCertificates.systemFile else { return false }
    // SSL_CERT_FILE may name another file than when the load began.
    let read = state.withLock { $0.read[file] } ?? read(file)
    if MonotonicClock.now - read.time > Self.lifetime { begin(file) }
    guard let store = read.store else { return false }
    unsafe store.serve(context)
    return true
  }

  /// True if they were read. Otherwise `job` is called once they were, on any thread.
  func areRead(or job: @escaping @Sendable () -> Void) -> Bool {
    guard let file = PeerCertificates.systemFile else { return true }
    guard state.withLock({ $0.read[file] == nil }) else { return true }
    begin(file, then: job)
    return false
  }

  /// Has the file read, unless that is under way.
  private func begin(_ file: String, then job: (@Sendable () -> Void)? = nil) {
    let isReading = state.withLock { state in
      defer { state.waiting[file, default: []] += job.map { [$0] } ?? [] }
      return state.waiting[file] != nil
    }
    guard !isReading else { return }
    queue.async { [self] in
      _ = read(file)
      for job in state.withLock({ $0.waiting.removeValue(forKey: file) ?? [] }) { job() }
    }
  }

  private func read(_ file: String) -> Read {
    // What waits for a disk is done before OpenSSL is asked.
    let bytes = AuthorityFile.bytes(file, and: PeerCertificates.systemFolder)
    let store = isOver.withLock { $0 ? nil : AuthorityStore(bytes) }
    let new = Read(store: store, time: MonotonicClock.now)
    state.withLock { $0.read[file] = new }
    return new
  }

  /// The process ends: waits until OpenSSL is not used here any more, but for no disk.
  func stop() { isOver.withLock { $0 = true } }
}

/// Certificates that OpenSSL verifies others by (X509_STORE), in memory.
@safe private final class AuthorityStore: Sendable {
  // Sendable: OpenSSL counts who has it, and locks it.
  nonisolated(unsafe) private let raw: OpaquePointer

  /// Of PEM; nil where the first of the files has none.
  init?(_ files: [[UInt8]]) {
    defer { ERR_clear_error() }
    guard let raw = unsafe X509_STORE_new() else { return nil }
    unsafe self.raw = raw
    guard let first = files.first, unsafe CertificateChain.add(first, to: raw) > 0 else { return nil }
    for file in files.dropFirst() { unsafe CertificateChain.add(file, to: raw) }
    unsafe CertificateChain.trustAsCurl(raw)
  }

  deinit { unsafe X509_STORE_free(raw) }

  /// Has the connections of `context` (SSL_CTX), which counts the store, verify by it.
  func serve(_ context: OpaquePointer) { unsafe SSL_CTX_set1_cert_store(context, raw) }
}

/// The files into which libcurl and OpenSSL would look.
private enum AuthorityFile {
  /// All public authorities have 0.3 MB.
  private static let mostBytes = 16 << 20

  /// What stands in `file`, and in those that OpenSSL finds in `folder`, by the hash of a name and a number (openssl-rehash(1)).
  static func bytes(_ file: String, and folder: String?) -> [[UInt8]] {
    guard let first = bytes(of: file) else { return [] }
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [first] }
    return [first] + names.filter(isHash).compactMap { bytes(of: folder + "/" + $0) }
  }

  private static func isHash(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].count == 8 && UInt32(parts[0], radix: 16) != nil && UInt8(parts[1]) != nil
  }

  /// Nil where it is no plain file, cannot be read, or is too long.
  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= mostBytes else {
      return nil
    }
    let size = Int(status.st_size)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size {
        let count = unsafe read(descriptor, buffer.baseAddress?.advanced(by: filled), size - filled)
        guard count > 0 else { return }
        filled += count
      }
    }
  }
}
