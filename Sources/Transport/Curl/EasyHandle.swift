// SPDX-License-Identifier: Apache-2.0
import CCurl

/// A libcurl easy handle and the header list it uses, released exactly once. It belongs to the I/O thread.
final class EasyHandle {
  /// libcurl's handle.
  let raw: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?

  /// Nil when there is no memory.
  init?() {
    guard CurlGlobal.isReady, let raw = curl_easy_init() else { return nil }
    self.raw = raw
  }

  deinit {
    curl_easy_cleanup(raw)
    curl_slist_free_all(headers)
  }

  /// Forgets every option, but not what libcurl remembers of hosts.
  func reset() {
    curl_easy_reset(raw)
    curl_slist_free_all(headers)
    headers = nil
  }

  func set(_ option: CURLoption, _ value: Int) {
    _ = workbench_easy_set_long(raw, option, value)
  }

  func set(_ option: CURLoption, offset value: Int64) {
    _ = workbench_easy_set_offset(raw, option, curl_off_t(value))
  }

  /// libcurl copies the string, except for CURLOPT_POSTFIELDS.
  func set(_ option: CURLoption, _ value: String) {
    _ = workbench_easy_set_string(raw, option, value)
  }

  func set(_ option: CURLoption, pointer value: UnsafeRawPointer?) {
    _ = workbench_easy_set_pointer(raw, option, value)
  }

  func set(_ option: CURLoption, _ callback: @escaping workbench_data_callback) {
    _ = workbench_easy_set_data_callback(raw, option, callback)
  }

  /// CURLOPT_HTTPHEADER; the list lives until the next `reset()`.
  func setHeaders(_ lines: [String]) {
    for line in lines {
      guard let longer = curl_slist_append(headers, line) else { return }
      headers = longer
    }
    _ = workbench_easy_set_list(raw, CURLOPT_HTTPHEADER, headers)
  }

  func long(_ info: CURLINFO) -> Int {
    var value = 0
    return workbench_easy_get_long(raw, info, &value) == CURLE_OK ? value : 0
  }

  func offset(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    return workbench_easy_get_offset(raw, info, &value) == CURLE_OK ? Int64(value) : 0
  }

  func string(_ info: CURLINFO) -> String {
    var value: UnsafePointer<CChar>?
    guard workbench_easy_get_string(raw, info, &value) == CURLE_OK, let value else { return "" }
    return String(cString: value)
  }
}
