// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Dispatch
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
    let new = Read(store: AuthorityStore(file, PeerCertificates.systemFolder), time: MonotonicClock.now)
    state.withLock { $0.read[file] = new }
    return new
  }
}

/// Certificates that OpenSSL verifies others by (X509_STORE), in memory.
@safe private final class AuthorityStore: Sendable {
  // Sendable: OpenSSL counts who has it, and locks it.
  nonisolated(unsafe) private let raw: OpaquePointer

  /// Reads all that libcurl and OpenSSL would look into; nil where `file` has nothing.
  init?(_ file: String, _ folder: String?) {
    defer { ERR_clear_error() }
    guard let raw = unsafe X509_STORE_new() else { return nil }
    unsafe self.raw = raw
    guard unsafe X509_STORE_load_file(raw, file) == 1 else { return nil }
    if let folder { add(folder) }
    unsafe CertificateChain.trustAsCurl(raw)
  }

  deinit { unsafe X509_STORE_free(raw) }

  /// Has the connections of `context` (SSL_CTX), which counts the store, verify by it.
  func serve(_ context: OpaquePointer) { unsafe SSL_CTX_set1_cert_store(context, raw) }

  /// Adds the files that OpenSSL finds in a folder, by the hash of a name and a number (openssl-rehash(1)).
  private func add(_ folder: String) {
    guard let entries = unsafe opendir(folder) else { return }
    defer { unsafe closedir(entries) }
    while let entry = unsafe readdir(entries) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].count == 8, UInt32(parts[0], radix: 16) != nil, UInt8(parts[1]) != nil else {
        continue
      }
      unsafe X509_STORE_load_file(raw, folder + "/" + name)
    }
  }
}
