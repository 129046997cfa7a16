// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// What a program's own `URLProtocol` gave for an error. Inside, an error is a `URLError`; this one travels in its `userInfo`,
/// and the user gets it back as it was.
final class ForeignError: Sendable {
  private static let key = "URLLoading.ForeignError"
  private let error: any Error

  private init(_ error: any Error) {
    self.error = error
  }

  /// The error in the form in which loads end.
  static func carried(_ error: any Error, url: URL?) -> URLError {
    if let error = error as? URLError { return error }
    let plain = error as NSError
    if plain.domain == NSURLErrorDomain, let code = URLError.Code(rawValue: plain.code) {
      return URLError(code, userInfo: plain.userInfo)
    }
    let carrier = LoadError.error(.unknown, url: url, underlying: error, description: "\(error)")
    return URLError(carrier.code, userInfo: carrier.userInfo.merging([key: ForeignError(error)]) { $1 })
  }

  fileprivate static func inside(_ error: URLError) -> (any Error)? { (error.userInfo[key] as? ForeignError)?.error }
}

extension URLError {
  /// The error for the user: the one that a program's own protocol reported, where it was that, else this one.
  package var original: any Error { ForeignError.inside(self) ?? self }
}
