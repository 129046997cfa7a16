// SPDX-License-Identifier: Apache-2.0
import CCurl

/// libcurl's process-wide state.
enum CurlGlobal {
  /// Whether libcurl could be set up. The first question sets it up; it stays so until the process ends, because
  /// OpenSSL, which libcurl uses, cleans up after itself at exit.
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
