// SPDX-License-Identifier: Apache-2.0
package import Foundation
package import Transport

/// Makes the errors that users see: domain NSURLErrorDomain, the failing URL in `userInfo`, the cause beneath
/// (A.11). Only `URLError.Code` is used: the toolchain's plain constants of the TLS group are off by one.
package enum LoadError {
  /// The error for a transfer's failure.
  package static func error(for failure: TransferFailure, url: URL?) -> URLError {
    var underlying: [String: Any] = [NSLocalizedDescriptionKey: failure.description]
    if failure.cause == .tooManyOpenFiles { underlying[NSUnderlyingErrorKey] = POSIXError(.EMFILE) as NSError }
    if let code = POSIXErrorCode(rawValue: failure.systemError), failure.systemError != 0 {
      underlying[NSUnderlyingErrorKey] = POSIXError(code) as NSError
    }
    let beneath = NSError(domain: "CURLcode", code: Int(failure.curlCode), userInfo: underlying)
    return error(code(for: failure.cause), url: url, underlying: beneath, description: failure.description)
  }

  /// An error of ours. Where `description` is Apple's sentence, which programs show or compare, `explanation` has ours: it stands
  /// beneath and under `NSDebugDescription`.
  package static func error(
    _ code: URLError.Code, url: URL?, underlying: (any Error)? = nil, description: String, explanation: String? = nil
  ) -> URLError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    if let explanation { info["NSDebugDescription"] = explanation }
    if let url = url.map(withoutUser) {
      info[NSURLErrorFailingURLErrorKey] = url
      info[NSErrorFailingURLStringKey] = url.absoluteString
    }
    // An NSError whatever it was: on Linux nothing else that stands in a dictionary could be taken for one.
    info[NSUnderlyingErrorKey] = underlying.map { $0 as NSError } ?? beneath(code, explanation ?? description)
    return URLError(code, userInfo: info)
  }

  /// The error for a file that cannot take the body.
  package static func disk(_ code: URLError.Code, _ error: POSIXError, url: URL?) -> URLError {
    let reason = unsafe String(cString: strerror(error.code.rawValue))
    return Self.error(
      code, url: url, underlying: error, description: "The file for the body cannot be written: \(reason).")
  }

  /// An `NSError` of the domain `NSPOSIXErrorDomain`, in which the user gets what Apple's systems report there: with the system's
  /// own words, the failing URL, and `error` beneath.
  package static func system(_ code: POSIXErrorCode, over error: URLError) -> URLError {
    var info = error.userInfo
    info[NSLocalizedDescriptionKey] = unsafe String(cString: strerror(code.rawValue))
    info[NSUnderlyingErrorKey] = error as NSError
    // The toolchain's POSIXError has no place for a userInfo.
    return ForeignError.carrier(
      error, of: NSError(domain: NSPOSIXErrorDomain, code: Int(code.rawValue), userInfo: info))
  }

  /// Makes the error beneath one that we found ourselves: the same once more under the domain of the loader below, as on
  /// Apple's systems.
  private static func beneath(_ code: URLError.Code, _ description: String) -> NSError {
    NSError(
      domain: "kCFErrorDomainCFNetwork", code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: description])
  }

  /// The URL without user name and password, which never stand in an error or a log.
  package static func withoutUser(_ url: URL) -> URL {
    guard url.user != nil || url.password != nil,
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return url }
    (parts.user, parts.password) = (nil, nil)
    return parts.url ?? url
  }

  /// The beginning of what is no URL, without what could be a user name and a password in it.
  static func excerpt(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return String(text.prefix(80)) }
    return "…" + String(text[at...].prefix(80))
  }

  static func code(for cause: TransferFailure.Cause) -> URLError.Code {
    switch cause {
    case .cancelled: .cancelled
    case .timedOut: .timedOut
    case .malformedURL, .unsendableField: .badURL
    case .unsupportedScheme: .unsupportedURL
    case .cannotResolveHost: .cannotFindHost
    case .cannotConnect, .proxyRefused: .cannotConnectToHost
    case .proxyAuthenticationRequired: .userAuthenticationRequired
    case .notConnected: .notConnectedToInternet
    case .connectionLost: .networkConnectionLost
    case .malformedResponse: .cannotParseResponse
    case .responseTooLarge: .dataLengthExceedsMaximum
    case .undecodableContent: .cannotDecodeRawData
    case .bodyNotRepeatable: .requestBodyStreamExhausted
    case .bodyUnreadable: .requestBodyStreamExhausted
    case .tooManyOpenFiles, .outOfMemory, .unknown: .unknown
    case .secureConnectionFailed, .certificateExpired, .certificateUntrusted, .certificateUnknownRoot,
      .certificateNotYetValid, .certificateUndecided, .identityUndecided, .clientCertificateRejected,
      .clientCertificateRequired:
      secureCode(for: cause)
    }
  }

  private static func secureCode(for cause: TransferFailure.Cause) -> URLError.Code {
    switch cause {
    case .certificateExpired: .serverCertificateHasBadDate
    case .certificateUntrusted, .certificateUndecided: .serverCertificateUntrusted
    case .certificateUnknownRoot: .serverCertificateHasUnknownRoot
    case .certificateNotYetValid: .serverCertificateNotYetValid
    case .clientCertificateRejected: .clientCertificateRejected
    case .clientCertificateRequired, .identityUndecided: .clientCertificateRequired
    default: .secureConnectionFailed
    }
  }
}
