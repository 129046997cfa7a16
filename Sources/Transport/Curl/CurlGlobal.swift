// SPDX-License-Identifier: Apache-2.0
import CCurl

/// libcurl's process-wide state.
enum CurlGlobal {
  /// Whether libcurl could be set up. The first question sets it up; it stays so until the process ends, because
  /// OpenSSL, which libcurl uses, cleans up after itself at exit.
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Whether a handle forgets the last header line of a transfer before the next one (curl pull request 11103, in
  /// libcurl 8.1.0 and later).
  static let forgetsLines = (curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0) >= 0x08_01_00
}
