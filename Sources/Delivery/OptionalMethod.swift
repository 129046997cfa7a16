// SPDX-License-Identifier: Apache-2.0
package import Locking
package import Timeline

/// A delegate's method that may be left out, and whether a class has it. Each API has a type of its own for its methods.
///
/// Without Objective-C a class cannot be asked whether it implements an optional method: the default body in the protocol's
/// extension just runs instead. So that no report shows a callback that the program lacks, the default bodies note it here.
/// The first call of a method on a class finds out; it alone is announced after it has run, with the instant at which it
/// began. All this happens only while a recorder listens. The two ends of a load are not asked about: they are always
/// announced, and before they run, for a recorder may stop at the end. Some methods are also remembered as left out at all
/// times, where it saves the way to a delegate without the method.
package protocol OptionalMethod: Hashable, Sendable {
  /// Apple's name, such as `connection(_:didReceive:)`.
  var name: String { get }
  /// The part that distinguishes it from a method of the same name, such as `response`; empty where there is none.
  var detail: String { get }
  /// The findings about the classes of this API's delegates. A class does not change, so one answer serves the whole process.
  static var findings: Locked<MethodFindings<Self>> { get }
}

extension OptionalMethod {
  /// The event that says that this method runs.
  package var event: TimelineEvent.Kind { .callback(name: name, detail: detail) }

  /// Runs `call`, which calls this method on `delegate`, and `announce` before it, if the delegate has the method.
  package func run<Result>(on delegate: AnyObject, announce: () -> Void, call: () -> Result) -> Result {
    guard Timeline.isRecording else { return call() }
    let known = Self.findings.withLock { $0.isImplemented(self, by: delegate) }
    if known == true { announce() }
    let began = ContinuousClock.now
    let result = call()
    if known == nil, Self.findings.withLock({ $0.returned(self, on: delegate) }) { Timeline.asOf(began, announce) }
    return result
  }

  /// Called by the default bodies: the class of `delegate` does not have this method.
  package func isMissing(in delegate: AnyObject) {
    guard Timeline.isRecording else { return }
    Self.findings.withLock { $0.isMissing(self, in: delegate) }
  }

  /// Like `isMissing(in:)`, and remembered for good, recorded or not.
  package func isLeftOut(by delegate: AnyObject) {
    isMissing(in: delegate)
    Self.findings.withLock { $0.isLeftOut(self, by: delegate) }
  }

  /// True if it is known that the class of `delegate` does not have this method; true for no delegate.
  package func isKnownToBeLeftOut(by delegate: AnyObject?) -> Bool {
    guard let delegate else { return true }
    return Self.findings.withLock { $0.isKnownToBeLeftOut(self, by: delegate) }
  }
}
