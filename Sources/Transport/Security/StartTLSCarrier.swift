// SPDX-License-Identifier: Apache-2.0
import CCurl
import COpenSSL

/// Where OpenSSL reads and writes the bytes of a connection that libcurl has made: a BIO over `curl_easy_recv` and
/// `curl_easy_send`, which know of proxies, and of signals that a lost connection must not raise.
enum StartTLSCarrier {
  /// A BIO over the connection of `handle`, which has to outlive it; nil when there is no memory.
  static func make(_ handle: EasyHandle) -> OpaquePointer? {
    guard let method = unsafe method, let carrier = unsafe BIO_new(method) else { return nil }
    unsafe BIO_set_data(carrier, Unmanaged.passUnretained(handle).toOpaque())
    unsafe BIO_set_init(carrier, 1)
    return unsafe carrier
  }

  // Made once, never changed afterwards.
  nonisolated(unsafe) private static let method: OpaquePointer? = {
    let number = BIO_get_new_index()
    guard number >= 0, let method = unsafe BIO_meth_new(number | BIO_TYPE_SOURCE_SINK, "libcurl") else { return nil }
    unsafe BIO_meth_set_read(method, read)
    unsafe BIO_meth_set_write(method, write)
    unsafe BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return unsafe method
  }()

  private static let read: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int32) -> Int32 = {
    carrier, buffer, count in
    unsafe attempt(carrier, BIO_FLAGS_READ) { unsafe curl_easy_recv($0, buffer, Int(count), &$1) }
  }

  private static let write: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32 = {
    carrier, bytes, count in
    unsafe attempt(carrier, BIO_FLAGS_WRITE) { unsafe curl_easy_send($0, bytes, Int(count), &$1) }
  }

  /// The bytes that were moved; 0 at the end; -1 for a failure, or while nothing can be moved, as the flags say.
  private static func attempt(
    _ carrier: OpaquePointer?, _ direction: Int32, _ pass: (UnsafeMutableRawPointer, inout Int) -> CURLcode
  ) -> Int32 {
    unsafe BIO_clear_flags(carrier, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    guard let pointer = unsafe BIO_get_data(carrier) else { return -1 }
    var count = 0
    let code = unsafe pass(Unmanaged<EasyHandle>.fromOpaque(pointer).takeUnretainedValue().raw, &count)
    if code == CURLE_AGAIN { unsafe BIO_set_flags(carrier, direction | BIO_FLAGS_SHOULD_RETRY) }
    return code == CURLE_OK ? Int32(clamping: count) : -1
  }
}
