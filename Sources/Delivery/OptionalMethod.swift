// SPDX-License-Identifier: Apache-2.0
import Locking
package import Timeline

/// A delegate's method that may be left out, under Apple's name, and whether a class has it. Each API names its own.
///
/// Without Objective-C a class cannot be asked whether it implements an optional method: the default body in the protocol's
/// extension just runs instead. So that no report shows a callback that the program lacks, the default bodies note it here.
/// The first call of a method on a class finds out; it alone is announced after it has run, with the instant at which it
/// began. All this happens only while
/// a recorder listens. The two ends of a load are not asked about: they are always announced, and before they run, for
/// a recorder may stop at the end. Some methods are also remembered as left out at all times, where it saves the way
/// to a delegate without the method.
///
/// The raw value is the name, and behind a space what distinguishes methods of like names.
package protocol OptionalMethod: RawRepresentable<String>, Sendable {}

extension OptionalMethod {
  /// The event that says that this method runs.
  package var event: TimelineEvent.Kind {
    let parts = rawValue.split(separator: " ", maxSplits: 1)
    return .callback(name: String(parts[0]), detail: parts.count > 1 ? String(parts[1]) : "")
  }

  /// Runs `call`, which calls this method on `delegate`, and `announce` before it, if the delegate has the method.
  package func run<Result>(on delegate: AnyObject, announce: () -> Void, call: () -> Result) -> Result {
    guard Timeline.isRecording else { return call() }
    let key = MethodOfClass(delegate, rawValue)
    let known = MethodOfClass.known.withLock { $0[key] }
    if known == true { announce() }
    let began = ContinuousClock.now
    let result = call()
    if known == nil, MethodOfClass.known.withLock({ $0.settle(key) }) { Timeline.asOf(began, announce) }
    return result
  }

  /// Called by the default bodies: the class of `delegate` does not have this method.
  package func isMissing(in delegate: AnyObject) {
    guard Timeline.isRecording else { return }
    MethodOfClass.known.withLock { $0[MethodOfClass(delegate, rawValue)] = false }
  }

  /// Like `isMissing(in:)`, and remembered for good, recorded or not.
  package func isLeftOut(by delegate: AnyObject) {
    isMissing(in: delegate)
    MethodOfClass.leftOut.withLock { _ = $0.insert(MethodOfClass(delegate, rawValue)) }
  }

  /// Whether it is known that the class of `delegate` does not have this method; true for no delegate.
  package func isKnownToBeLeftOut(by delegate: AnyObject?) -> Bool {
    guard let delegate else { return true }
    return MethodOfClass.leftOut.withLock { $0.contains(MethodOfClass(delegate, rawValue)) }
  }
}

/// A class and one of the methods it may have. Apple's names distinguish those of both APIs.
private struct MethodOfClass: Hashable {
  let type: ObjectIdentifier
  let method: String

  init(_ delegate: AnyObject, _ method: String) {
    (type, self.method) = (ObjectIdentifier(Swift.type(of: delegate)), method)
  }

  /// What was found out during a recording.
  static let known = Locked<[MethodOfClass: Bool]>([:])
  static let leftOut = Locked<Set<MethodOfClass>>([])
}

extension [MethodOfClass: Bool] {
  /// The method has returned: unless its default body left word, it is the class's own.
  fileprivate mutating func settle(_ key: MethodOfClass) -> Bool {
    let known = self[key] ?? true
    self[key] = known
    return known
  }
}
