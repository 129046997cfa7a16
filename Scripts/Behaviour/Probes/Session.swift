// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI

private let feature = "URLSession"

/// What a session is and how it ends.
func addSession(to probes: Probes) {
  addQueues(to: probes)
  addEnds(to: probes)
  addShared(to: probes)
  addTasks(to: probes)
}

private func addQueues(to probes: Probes) {
  probes.add(
    "session.shared-one", feature, "shared", rule: "There is one shared session.", source: page("urlsession/shared"),
    wants: "true"
  ) { "\(URLSession.shared === URLSession.shared)" }
  probes.add(
    "session.shared-delegate", feature, "shared.delegate", rule: "The shared session has no delegate.",
    source: page("urlsession/shared"), wants: "nil"
  ) { URLSession.shared.delegate == nil ? "nil" : "a delegate" }
  probes.add(
    "session.queue-serial", feature, "delegateQueue without one given",
    rule: "Without a queue given, the session makes a serial one.",
    source: page("urlsession/init(configuration:delegate:delegatequeue:)"), wants: "1"
  ) { "\(URLSession(configuration: .ephemeral).delegateQueue.maxConcurrentOperationCount)" }
  probes.add(
    "session.queue-given", feature, "delegateQueue as given", rule: "A queue that is given is the delegate's queue.",
    source: page("urlsession/delegatequeue"), wants: "true"
  ) {
    let queue = OperationQueue()
    return "\(URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue).delegateQueue === queue)"
  }
  probes.add(
    "session.queue-width", feature, "a concurrent delegateQueue as given",
    rule: "The session does not make a queue serial that is given to it.",
    source: page("urlsession/init(configuration:delegate:delegatequeue:)"), wants: "4"
  ) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 4
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: queue)
    return "\(session.delegateQueue.maxConcurrentOperationCount)"
  }
}

private func addEnds(to probes: Probes) {
  probes.add(
    "session.delegate-kept", feature, "the delegate until invalidation",
    rule: "The session keeps a strong reference to its delegate until it is invalidated.",
    source: page("urlsession/init(configuration:delegate:delegatequeue:)"), wants: "kept"
  ) {
    weak var delegate: Ending?
    let session = makeSession(&delegate)
    return withExtendedLifetime(session) { delegate == nil ? "gone" : "kept" }
  }
  probes.add(
    "session.invalidated-told", feature, "finishTasksAndInvalidate()",
    rule: "The delegate is told urlSession(_:didBecomeInvalidWithError:).",
    source: page("urlsessiondelegate/urlsession(_:didbecomeinvalidwitherror:)"), wants: "told"
  ) {
    let delegate = Ending()
    URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil).finishTasksAndInvalidate()
    return delegate.hasEnded.wait(timeout: .now() + patience) == .success ? "told" : "never told"
  }
  probes.add(
    "session.cancelled-told", feature, "invalidateAndCancel()",
    rule: "The delegate is told urlSession(_:didBecomeInvalidWithError:).",
    source: page("urlsessiondelegate/urlsession(_:didbecomeinvalidwitherror:)"), wants: "told"
  ) {
    let delegate = Ending()
    URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil).invalidateAndCancel()
    return delegate.hasEnded.wait(timeout: .now() + patience) == .success ? "told" : "never told"
  }
}

private func addShared(to probes: Probes) {
  probes.add(
    "session.shared-invalidate", feature, "shared.invalidateAndCancel()",
    rule: "It has no effect on the shared session: its next load works.",
    source: page("urlsession/invalidateandcancel()"),
    wants: "200"
  ) {
    URLSession.shared.invalidateAndCancel()
    let server = server()
    return sharedLoad(address(server, "/ok"))
  }
  probes.add(
    "session.shared-finish", feature, "shared.finishTasksAndInvalidate()",
    rule: "It has no effect on the shared session: its next load works.",
    source: page("urlsession/finishtasksandinvalidate()"), wants: "200"
  ) {
    URLSession.shared.finishTasksAndInvalidate()
    let server = server()
    return sharedLoad(address(server, "/ok"))
  }
}

private func addTasks(to probes: Probes) {
  probes.add(
    "session.reset", feature, "reset(completionHandler:)", rule: "It calls its handler.",
    source: page("urlsession/reset(completionhandler:)"), wants: "called"
  ) { called { URLSession(configuration: .ephemeral).reset(completionHandler: $0) } }
  probes.add(
    "session.flush", feature, "flush(completionHandler:)", rule: "It calls its handler.",
    source: page("urlsession/flush(completionhandler:)"), wants: "called"
  ) { called { URLSession(configuration: .ephemeral).flush(completionHandler: $0) } }
  probes.add(
    "session.all-tasks", feature, "getAllTasks(completionHandler:) with one task that was not resumed",
    rule: "It names the tasks that were created.", source: page("urlsession/getalltasks(completionhandler:)"),
    wants: "1"
  ) {
    let session = URLSession(configuration: .ephemeral)
    let task = session.dataTask(with: URL(fileURLWithPath: "/"))
    let notes = Notes()
    session.getAllTasks { tasks in
      notes.add("\(tasks.count)")
      notes.hasEnded.signal()
    }
    _ = notes.hasEnded.wait(timeout: .now() + patience)
    return withExtendedLifetime(task) { notes.words }
  }
}

private final class Ending: NSObject, URLSessionDelegate {
  let hasEnded = DispatchSemaphore(value: 0)

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { hasEnded.signal() }
}

private func makeSession(_ kept: inout Ending?) -> URLSession {
  let delegate = Ending()
  kept = delegate
  return URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
}

private func called(_ call: (@escaping @Sendable () -> Void) -> Void) -> String {
  let hasEnded = DispatchSemaphore(value: 0)
  call { hasEnded.signal() }
  return hasEnded.wait(timeout: .now() + patience) == .success ? "called" : "never called"
}

private func sharedLoad(_ url: URL) -> String {
  let notes = Notes()
  URLSession.shared.dataTask(with: url) { _, response, error in
    notes.add(End(response: response, error: error).words)
    notes.hasEnded.signal()
  }.resume()
  _ = notes.hasEnded.wait(timeout: .now() + patience)
  return notes.words
}
