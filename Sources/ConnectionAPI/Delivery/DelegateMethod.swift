// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import Timeline

/// A delegate method that may be left out, under Apple's name, and whether a class has it.
///
/// Without Objective-C nobody can be asked whether it implements an optional method: the default body just runs
/// instead. So that no report shows a callback which nobody wrote, the default bodies leave word here. The first call
/// of a method on a class finds out; it alone is announced after it has run. All this happens only while somebody
/// records. The two ends are always announced, and before they run: whoever records may stop at the end.
enum DelegateMethod: String {
  case shouldUseCredentialStorage = "connectionShouldUseCredentialStorage(_:)"
  case willSend = "connection(_:willSend:redirectResponse:)"
  case needNewBodyStream = "connection(_:needNewBodyStream:)"
  case didSendBodyData = "connection(_:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:)"
  case willSendRequestFor = "connection(_:willSendRequestFor:)"
  case canAuthenticate = "connection(_:canAuthenticateAgainstProtectionSpace:)"
  case didReceiveChallenge = "connection(_:didReceive:) challenge"
  case didCancelChallenge = "connection(_:didCancel:)"
  case didWriteData = "connection(_:didWriteData:totalBytesWritten:expectedTotalBytes:)"
  case didReceiveResponse = "connection(_:didReceive:) response"
  case didReceiveData = "connection(_:didReceive:) data"
  case willCacheResponse = "connection(_:willCacheResponse:)"

  /// The event that says that this method runs.
  var event: TimelineEvent.Kind {
    let parts = rawValue.split(separator: " ", maxSplits: 1)
    return .callback(name: String(parts[0]), detail: parts.count > 1 ? String(parts[1]) : "")
  }

  /// Runs `call`, which calls this method on `delegate`, and `announce` before it, if the delegate has the method.
  func run<Result>(on delegate: AnyObject, announce: () -> Void, call: () -> Result) -> Result {
    guard Timeline.isRecording else { return call() }
    let key = Key(type: ObjectIdentifier(type(of: delegate)), method: self)
    let known = Self.known.withLock { $0[key] }
    if known == true { announce() }
    let result = call()
    if known == nil, Self.known.withLock({ $0.settle(key) }) { announce() }
    return result
  }

  /// Called by the default bodies: the class of `delegate` does not have this method.
  func isMissing(in delegate: AnyObject) {
    guard Timeline.isRecording else { return }
    let key = Key(type: ObjectIdentifier(type(of: delegate)), method: self)
    Self.known.withLock { $0[key] = false }
  }

  /// Like `isMissing(in:)`, and remembered for good whether or not somebody records.
  func isLeftOut(by delegate: AnyObject) {
    isMissing(in: delegate)
    let key = Key(type: ObjectIdentifier(type(of: delegate)), method: self)
    Self.leftOut.withLock { _ = $0.insert(key) }
  }

  /// Whether it is known that the class of `delegate` does not have this method.
  func isKnownToBeLeftOut(by delegate: AnyObject) -> Bool {
    let key = Key(type: ObjectIdentifier(type(of: delegate)), method: self)
    return Self.leftOut.withLock { $0.contains(key) }
  }

  private static let leftOut = Locked<Set<Key>>([])

  fileprivate struct Key: Hashable {
    let type: ObjectIdentifier
    let method: DelegateMethod
  }

  private static let known = Locked<[Key: Bool]>([:])
}

extension [DelegateMethod.Key: Bool] {
  /// The method has returned: unless its default body left word, it is the class's own.
  fileprivate mutating func settle(_ key: DelegateMethod.Key) -> Bool {
    let known = self[key] ?? true
    self[key] = known
    return known
  }
}
