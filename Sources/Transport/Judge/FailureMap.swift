// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc

/// The meaning of libcurl's number, given how far the exchange had come (faults 4.2).
enum FailureMap {
  /// How far the exchange had come.
  struct Progress: Equatable {
    /// The request is on its way.
    var isRequestSent = false
    /// Bytes of a response have arrived.
    var hasHeadBytes = false
    /// The final head is complete.
    var isHeadComplete = false
    /// The certificate verification's result (CURLINFO_SSL_VERIFYRESULT), an X509_V_ERR number of OpenSSL.
    var verifyResult = 0
    /// The last error number of the operating system (CURLINFO_OS_ERRNO), or what it says now.
    var systemError: Int32 = 0

    /// Before a request is on its way, sockets and files have to be opened: to resolve a name, to connect, to know the
    /// roots of trust. Whatever libcurl makes of it, it failed for want of descriptors.
    var lacksDescriptors: Bool { !isRequestSent && (systemError == EMFILE || systemError == ENFILE) }
  }

  /// CURLE_TOO_LARGE, which the headers have since 8.6.
  private static let tooLarge = CURLcode(rawValue: 100)

  /// The cause behind a `code` that is no success.
  static func cause(_ code: CURLcode, _ progress: Progress) -> TransferFailure.Cause {
    if progress.lacksDescriptors, code != CURLE_OPERATION_TIMEDOUT { return .tooManyOpenFiles }
    return switch code {
    case CURLE_URL_MALFORMAT: .malformedURL
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    // Schemes are refused one floor up, so this is a response that is not HTTP, such as HTTP/0.9.
    case CURLE_UNSUPPORTED_PROTOCOL: .malformedResponse
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST: .cannotResolveHost
    case CURLE_COULDNT_CONNECT: connectionCause(progress)
    case CURLE_PROXY: .proxyRefused
    case CURLE_WEIRD_SERVER_REPLY: .malformedResponse
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
      CURLE_HTTP3:
      .connectionLost
    case CURLE_RECV_ERROR: .connectionLost
    // libcurl's word for a line of a head that is longer than 100 KB.
    case CURLE_OUT_OF_MEMORY: progress.isRequestSent && !progress.isHeadComplete ? .malformedResponse : .outOfMemory
    // The same for all of a head that grows too large, and for more than 5,000 fields, since 8.6.
    case tooLarge: progress.hasHeadBytes ? .responseTooLarge : .malformedResponse
    case CURLE_BAD_FUNCTION_ARGUMENT: progress.hasHeadBytes ? .malformedResponse : .unknown
    case CURLE_BAD_CONTENT_ENCODING: progress.isHeadComplete ? .undecodableContent : .malformedResponse
    case CURLE_WRITE_ERROR: .undecodableContent
    case CURLE_READ_ERROR: .bodyUnreadable
    case CURLE_SEND_FAIL_REWIND: .bodyNotRepeatable
    default: secureCause(code, progress)
    }
  }

  private static func connectionCause(_ progress: Progress) -> TransferFailure.Cause {
    switch progress.systemError {
    // No interface is up, or none leads there.
    case ENETUNREACH, ENETDOWN: .notConnected
    default: .cannotConnect
    }
  }

  private static func secureCause(_ code: CURLcode, _ progress: Progress) -> TransferFailure.Cause {
    switch code {
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
      .secureConnectionFailed
    case CURLE_SSL_CLIENTCERT: .clientCertificateRequired
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      certificateCause(progress.verifyResult)
    default: .unknown
    }
  }

  /// The numbers are those of `X509_verify_cert_error_string` (openssl/x509_vfy.h).
  static func certificateCause(_ verifyResult: Int) -> TransferFailure.Cause {
    switch verifyResult {
    case 9: .certificateNotYetValid
    case 10: .certificateExpired
    case 19, 20, 21: .certificateUnknownRoot
    default: .certificateUntrusted
    }
  }
}
