// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc

/// libcurl's process-wide state.
enum CurlGlobal {
  /// True if libcurl could be set up. The first question sets it up; it stays so until the process ends, because
  /// OpenSSL, which libcurl uses, cleans up after itself at exit.
  ///
  /// Set up on a thread that has ended when the question is answered: OpenSSL keeps the errors of each thread that it has
  /// worked on until the thread ends, and where that is just when the process does, they are not freed any more.
  static let isReady: Bool = {
    var isReady = false
    var thread = pthread_t()
    let setUp: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { result in
      unsafe result?.storeBytes(of: curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, as: Bool.self)
      return nil
    }
    guard unsafe pthread_create(&thread, nil, setUp, &isReady) == 0 else {
      _ = unsafe setUp(&isReady)
      return isReady
    }
    pthread_join(thread, nil)
    return isReady
  }()

  /// True if a handle forgets the last header line of a transfer before the next one (curl pull request 11103, in
  /// libcurl 8.1.0 and later).
  static let forgetsLines = unsafe (curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0) >= 0x08_01_00
}
