// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// Brings a load its response and body where no transfer does: from a URL itself, from a file, or from a `URLProtocol`.
///
/// It is called on the I/O thread and must return at once; what it has to report it reports through `Load.report(_:from:)`, from
/// any thread.
protocol LocalSource: AnyObject, Sendable {
  /// Begins.
  func start(for load: Load)
  /// All that was reported so far has been taken.
  func more(for load: Load)
  /// Nothing is wanted any more.
  func stop()
}

/// The reports of a local source, in this order: a response, pieces of the body, the end. A redirect comes in place of all
/// three.
enum LocalSourceEvent: @unchecked Sendable {
  // Sendable: responses never change.
  case response(URLResponse)
  case body(Data)
  case end(URLError?)
  case redirect(URLResponse, to: URLRequest)
}
