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
      if CurlFacts.current.tellsResets { traceFrames() }
      return nil
    }
    guard unsafe pthread_create(&thread, nil, setUp, &isReady) == 0 else {
      _ = unsafe setUp(&isReady)
      return isReady
    }
    pthread_join(thread, nil)
    return isReady
  }()

  /// Lets the log of a handle that is asked for one tell of frames. Looked up: the headers that this was compiled with may be
  /// older than the function.
  private static func traceFrames() {
    typealias Trace = @convention(c) (UnsafePointer<CChar>) -> CURLcode
    guard let trace = unsafe dlsym(nil, "curl_global_trace") else { return }
    _ = unsafe unsafeBitCast(trace, to: Trace.self)("http/2")
  }
}
