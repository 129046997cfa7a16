// SPDX-License-Identifier: Apache-2.0
import CCurl
import COpenSSL
import HTTPRules

/// Lines of a request's head as libcurl takes them, released exactly once. Handles may share them, on one thread.
/// Safe: the list lives as long as the object.
@safe
final class HeaderList {
  let lines: [String]
  fileprivate let raw: UnsafeMutablePointer<curl_slist>?

  init(_ lines: [String]) {
    self.lines = lines
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = unsafe Self.append(line, to: list) else { break }
      unsafe list = longer
    }
    unsafe raw = list
  }

  deinit { unsafe curl_slist_free_all(raw) }

  /// libcurl copies the line, whose octets are those of `FieldOctets`.
  private static func append(
    _ line: String, to list: UnsafeMutablePointer<curl_slist>?
  ) -> UnsafeMutablePointer<curl_slist>? {
    guard FieldOctets.areIn(line) else { return unsafe curl_slist_append(list, line) }
    let octets = (FieldOctets.octets(line) + [0]).map { CChar(bitPattern: $0) }
    return unsafe curl_slist_append(list, octets)
  }
}

/// A libcurl easy handle and the header lists it uses, released exactly once. It belongs to the I/O thread.
///
/// It is the context of every callback, and a handle that serves plain GET requests keeps its options: setting them
/// anew costs as much as the request itself. Safe: libcurl's handle lives as long as the object.
@safe
final class EasyHandle {
  /// libcurl's handle.
  let raw: UnsafeMutableRawPointer
  /// The transfer that the handle performs.
  var transfer: Transfer?
  /// True if the options that never change are set.
  var isPrepared = false
  /// True if options of one request are set that the next must not inherit.
  var hasSpecialOptions = false
  /// True if a response line arrived, after which the handle must not serve another transfer unless libcurl
  /// forgets them (`CurlFacts.forgetsLines`): 7.88 keeps a pointer to the last field beyond the transfer that owns it (`prevhead` in
  /// lib/headers.c), and frees it once more when the next response begins with a folded line.
  var hasReceivedLines = false
  /// True if the handle may remember what makes its next transfer fail: libcurl 8.14 means to send a body again that it did not
  /// send to its end, and 8.18 holds to a pause, so that the next transfer never begins. curl_easy_reset(3) mends neither.
  var mustNotBeKept = false
  /// True if libcurl lets us judge certificates, which it does when it is built with OpenSSL.
  var canJudgePeers = false
  private var headers: HeaderList?
  private var proxyHeaders: HeaderList?
  private(set) var url: ParsedURL?

  /// True if libcurl holds bytes that a pause kept from the transfer.
  var holdsBytes = false

  /// Nil when there is no memory.
  init?() {
    guard CurlGlobal.isReady, let raw = unsafe curl_easy_init() else { return nil }
    unsafe self.raw = raw
  }

  deinit {
    unsafe curl_easy_cleanup(raw)
  }

  /// True if libcurl reports what it reads (CURLOPT_DEBUGFUNCTION); only while raw bytes are judged, for it costs.
  var watchesRawBytes = false {
    didSet { if watchesRawBytes != oldValue { set(CURLOPT_VERBOSE, watchesRawBytes ? 1 : 0) } }
  }

  /// True if libcurl reads to the end of the stream, whatever length an answer has: over HTTP/2 alone.
  var ignoresContentLength = false {
    didSet {
      if ignoresContentLength != oldValue { set(CURLOPT_IGNORE_CONTENT_LENGTH, ignoresContentLength ? 1 : 0) }
    }
  }

  /// Frees what libcurl holds for a paused transfer, on a handle that no multi handle has any more and that is not kept: only
  /// the end of another transfer does that. This one reads an empty file, without a callback, and waits for no disk.
  func dropHeldBytes() {
    unsafe curl_easy_reset(raw)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_URL, "file:///dev/null")
    unsafe curl_easy_perform(raw)
    holdsBytes = false
  }

  /// Makes the handle ready for another transfer.
  func recycle() {
    transfer = nil
    watchesRawBytes = false
    ignoresContentLength = false
    guard hasSpecialOptions else { return }
    unsafe curl_easy_reset(raw)
    (headers, proxyHeaders) = (nil, nil)
    url = nil
    isPrepared = false
    hasSpecialOptions = false
  }

  func set(_ option: CURLoption, _ value: Int) {
    _ = unsafe workbench_easy_set_long(raw, option, value)
  }

  func set(_ option: CURLoption, offset value: Int64) {
    _ = unsafe workbench_easy_set_offset(raw, option, curl_off_t(value))
  }

  /// libcurl copies the string, except for CURLOPT_POSTFIELDS.
  func set(_ option: CURLoption, _ value: String) {
    // Passed as it is, the string would be copied into an array before.
    _ = unsafe value.withCString { unsafe workbench_easy_set_string(raw, option, $0) }
  }

  func set(_ option: CURLoption, pointer value: UnsafeRawPointer?) {
    _ = unsafe workbench_easy_set_pointer(raw, option, value)
  }

  /// CURLOPT_CAINFO_BLOB; libcurl copies the bytes.
  func setAuthorities(_ pem: [UInt8]) {
    _ = unsafe pem.withUnsafeBytes {
      unsafe workbench_easy_set_blob(raw, CURLOPT_CAINFO_BLOB, $0.baseAddress, $0.count)
    }
  }

  func set(_ option: CURLoption, _ callback: @escaping workbench_data_callback) {
    _ = unsafe workbench_easy_set_data_callback(raw, option, callback)
  }

  /// CURLOPT_CURLU, and CURLOPT_URL, which libcurl would make of it otherwise; it lives until the next one or
  /// `recycle()`.
  func setURL(_ new: ParsedURL) {
    guard new !== url else { return }
    unsafe set(CURLOPT_CURLU, pointer: new.raw.map { unsafe UnsafeRawPointer($0) })
    set(CURLOPT_URL, new.text)
    url = new
  }

  /// CURLOPT_HTTPHEADER; the list lives until the next one or `recycle()`.
  func setHeaders(_ list: HeaderList) {
    guard headers !== list else { return }
    _ = unsafe workbench_easy_set_list(raw, CURLOPT_HTTPHEADER, list.raw)
    headers = list
  }

  /// CURLOPT_PROXYHEADER, for CONNECT; the list lives until the next one or `recycle()`.
  func setProxyHeaders(_ lines: [String]) {
    let list = HeaderList(lines)
    _ = unsafe workbench_easy_set_list(raw, CURLOPT_PROXYHEADER, list.raw)
    proxyHeaders = list
  }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    return unsafe workbench_easy_get_long(raw, info, &value) == CURLE_OK ? value : 0
  }

  func offset(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    return unsafe workbench_easy_get_offset(raw, info, &value) == CURLE_OK ? Int64(value) : 0
  }

  /// The socket of a connection that was only made (CURLINFO_ACTIVESOCKET); nil when there is none.
  var activeSocket: Int32? {
    let socket = unsafe workbench_easy_active_socket(raw)
    return socket == CURL_SOCKET_BAD ? nil : socket
  }

  /// Sends close_notify; reading continues.
  func sayCloseNotify() {
    if let tls = unsafe workbench_easy_active_tls(raw) { unsafe SSL_shutdown(OpaquePointer(tls)) }
  }

  func string(_ info: CURLINFO) -> String {
    var value: UnsafePointer<CChar>?
    guard unsafe workbench_easy_get_string(raw, info, &value) == CURLE_OK, let value = unsafe value else { return "" }
    return unsafe String(cString: value)
  }
}
