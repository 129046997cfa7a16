// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The symbolic names of error codes, as Apple's headers spell them.
enum ErrorName {
  /// The name of a code of NSURLErrorDomain, or an empty text.
  static func of(domain: String, code: Int) -> String {
    domain == NSURLErrorDomain ? names[code] ?? "" : ""
  }

  private static let names: [Int: String] = [
    -1: "NSURLErrorUnknown",
    -999: "NSURLErrorCancelled",
    -1000: "NSURLErrorBadURL",
    -1001: "NSURLErrorTimedOut",
    -1002: "NSURLErrorUnsupportedURL",
    -1003: "NSURLErrorCannotFindHost",
    -1004: "NSURLErrorCannotConnectToHost",
    -1005: "NSURLErrorNetworkConnectionLost",
    -1006: "NSURLErrorDNSLookupFailed",
    -1007: "NSURLErrorHTTPTooManyRedirects",
    -1008: "NSURLErrorResourceUnavailable",
    -1009: "NSURLErrorNotConnectedToInternet",
    -1010: "NSURLErrorRedirectToNonExistentLocation",
    -1011: "NSURLErrorBadServerResponse",
    -1012: "NSURLErrorUserCancelledAuthentication",
    -1013: "NSURLErrorUserAuthenticationRequired",
    -1014: "NSURLErrorZeroByteResource",
    -1015: "NSURLErrorCannotDecodeRawData",
    -1016: "NSURLErrorCannotDecodeContentData",
    -1017: "NSURLErrorCannotParseResponse",
    -1018: "NSURLErrorInternationalRoamingOff",
    -1019: "NSURLErrorCallIsActive",
    -1020: "NSURLErrorDataNotAllowed",
    -1021: "NSURLErrorRequestBodyStreamExhausted",
    -1022: "NSURLErrorAppTransportSecurityRequiresSecureConnection",
    -1100: "NSURLErrorFileDoesNotExist",
    -1101: "NSURLErrorFileIsDirectory",
    -1102: "NSURLErrorNoPermissionsToReadFile",
    -1103: "NSURLErrorDataLengthExceedsMaximum",
    -1200: "NSURLErrorSecureConnectionFailed",
    -1201: "NSURLErrorServerCertificateHasBadDate",
    -1202: "NSURLErrorServerCertificateUntrusted",
    -1203: "NSURLErrorServerCertificateHasUnknownRoot",
    -1204: "NSURLErrorServerCertificateNotYetValid",
    -1205: "NSURLErrorClientCertificateRejected",
    -1206: "NSURLErrorClientCertificateRequired",
    -2000: "NSURLErrorCannotLoadFromNetwork",
    -3000: "NSURLErrorCannotCreateFile",
    -3001: "NSURLErrorCannotOpenFile",
    -3002: "NSURLErrorCannotCloseFile",
    -3003: "NSURLErrorCannotWriteToFile",
    -3004: "NSURLErrorCannotRemoveFile",
    -3005: "NSURLErrorCannotMoveFile",
    -3006: "NSURLErrorDownloadDecodingFailedMidStream",
    -3007: "NSURLErrorDownloadDecodingFailedToComplete",
  ]
}
