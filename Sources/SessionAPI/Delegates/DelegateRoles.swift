// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One delegate and the protocols it conforms to, found out once: a cast to a protocol is too dear for every callback. A
/// reference, for every task and every question has a copy.
final class DelegateRoles: Sendable {
  /// Those of no delegate.
  static let none = DelegateRoles(nil)

  let session: (any URLSessionDelegate)?
  let task: (any URLSessionTaskDelegate)?
  let data: (any URLSessionDataDelegate)?
  let download: (any URLSessionDownloadDelegate)?

  /// The roles of a delegate, or none.
  static func of(_ delegate: (any URLSessionDelegate)?) -> DelegateRoles {
    delegate.map { DelegateRoles($0) } ?? none
  }

  private init(_ delegate: (any URLSessionDelegate)?) {
    session = delegate
    task = delegate as? any URLSessionTaskDelegate
    data = delegate as? any URLSessionDataDelegate
    download = delegate as? any URLSessionDownloadDelegate
  }
}

/// The delegates of a task: its own and its session's. In each role its own is called where it has that role.
///
/// Both lie in the task's state, so that its one lock answers which delegate is to be called. A session keeps its delegate as
/// long as it has tasks, so a task need not ask it again.
struct TaskDelegates: Sendable {
  var own = DelegateRoles.none
  var all = DelegateRoles.none

  var session: (any URLSessionDelegate)? { own.session ?? all.session }
  var task: (any URLSessionTaskDelegate)? { own.task ?? all.task }
  var data: (any URLSessionDataDelegate)? { own.data ?? all.data }
  var download: (any URLSessionDownloadDelegate)? { own.download ?? all.download }
  var stream: (any URLSessionStreamDelegate)? {
    own.task as? any URLSessionStreamDelegate ?? all.session as? any URLSessionStreamDelegate
  }
  var webSocket: (any URLSessionWebSocketDelegate)? {
    own.task as? any URLSessionWebSocketDelegate ?? all.session as? any URLSessionWebSocketDelegate
  }

  /// The session's delegate, for a method that `delegate`, the task's own, does not have; nil when it is no other.
  func after(_ delegate: any URLSessionDelegate) -> DelegateRoles? {
    delegate === own.session && delegate !== all.session ? all : nil
  }
}
