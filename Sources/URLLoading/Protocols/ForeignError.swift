// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// An error of another domain: what a program's own `URLProtocol` gave for one, or what Apple's systems report as the
/// system's. Inside, an error is a `URLError`; this one travels in its `userInfo`, and the user gets it as it is.
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
    return carrier(LoadError.error(.unknown, url: url, underlying: error, description: "\(error)"), of: error)
  }

  /// `error` with another within, which the user gets.
  static func carrier(_ error: URLError, of foreign: any Error) -> URLError {
    URLError(error.code, userInfo: error.userInfo.merging([key: ForeignError(foreign)]) { $1 })
  }

  fileprivate static func inside(_ error: URLError) -> (any Error)? { (error.userInfo[key] as? ForeignError)?.error }
}

extension URLError {
  /// The error for the user: the one of another domain that travels in this, else this one.
  package var original: any Error { ForeignError.inside(self) ?? self }
}
