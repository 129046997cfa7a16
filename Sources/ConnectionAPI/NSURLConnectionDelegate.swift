// SPDX-License-Identifier: Apache-2.0

/// What every delegate of a connection may hear of: its failure.
///
/// All methods are optional, as on Apple's systems; here that is done by default bodies, since optional requirements
/// need the Objective-C runtime. Two consequences differ from Apple's. A subclass that adds a method which the class
/// with the conformance did not write is never called: write every method in the class that conforms. And an object
/// that has the methods without declaring the conformance is not called at all.
public protocol NSURLConnectionDelegate: NSObjectProtocol {
  /// The load ended without success. Called at most once, as the last call, in the place the connection is scheduled.
  ///
  /// A 404 or any other HTTP status is a response and no failure. After a failure in mid body what came before has
  /// been delivered and stays with the receiver.
  /// - Parameter error: a `URLError`; its `userInfo` carries the URL that failed.
  func connection(_ connection: NSURLConnection, didFailWithError error: any Error)
}

extension NSURLConnectionDelegate {
  /// Not implemented: the failure goes unnoticed.
  public func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {}
}
