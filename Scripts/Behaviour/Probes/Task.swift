// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI

/// A task's properties in its life.
func addTask(to probes: Probes) {
  addNewTask(NewTask(probes: probes) { somewhere })
  // A load that ends while its task is looked at would be another answer.
  addFirstCalls(NewTask(probes: probes) { address(server(), "/never") })
  addEndedTask(EndedTask(probes: probes))
}

/// Adds a probe of a new task for that address.
private struct NewTask {
  let probes: Probes
  let address: () -> URL

  func callAsFunction(
    _ name: String, _ rule: String, wants: String, _ ask: @escaping (URLSessionDataTask) -> String
  ) {
    probes.add(
      Probe(
        id: "task-new.\(name)", feature: "URLSessionTask", member: "\(name) of a new task", rule: rule,
        source: page("urlsessiontask/\(property(name))"), wanted: [wants]
      ) {
        let session = URLSession(configuration: .ephemeral)
        return withExtendedLifetime(session) { ask(session.dataTask(with: address())) }
      })
  }
}

/// Adds a probe of a task that has ended, as its handler sees it.
private struct EndedTask {
  let probes: Probes

  func callAsFunction(
    _ name: String, _ rule: String, path: String = "/1k", wants: String,
    _ ask: @escaping @Sendable (URLSessionTask) -> String
  ) {
    probes.add(
      Probe(
        id: "task-ended.\(name)", feature: "URLSessionTask", member: "\(name) of a task that has ended, in its handler",
        rule: rule,
        source: page("urlsessiontask/\(property(name))"), wanted: [wants]
      ) {
        let server = server()
        let notes = Notes()
        _ = load(URLRequest(url: address(server, path))) { notes.add(ask($0)) }
        return notes.words
      })
  }
}

private func addNewTask(_ add: NewTask) {
  add("state", "A new task is suspended.", wants: "suspended") { words($0.state) }
  add("taskIdentifier", "Numbers count from 1 in each session.", wants: "1") { "\($0.taskIdentifier)" }
  add("priority", "The default priority is 0.5.", wants: "0.5") { "\($0.priority)" }
  add("error", "It is nil while nothing failed.", wants: "nil") { $0.error == nil ? "nil" : "an error" }
  add("response", "It is nil before the response came.", wants: "nil") { $0.response == nil ? "nil" : "a response" }
  add("originalRequest", "It is the request that the task was made with.", wants: "http://127.0.0.1:9/") {
    $0.originalRequest?.url?.absoluteString ?? "nil"
  }
  add("currentRequest", "At first it is the original request.", wants: "http://127.0.0.1:9/") {
    $0.currentRequest?.url?.absoluteString ?? "nil"
  }
  add("taskDescription", "It is nil until the program sets it.", wants: "nil") { $0.taskDescription ?? "nil" }
  add("countOfBytesReceived", "It is 0 before anything came.", wants: "0") { "\($0.countOfBytesReceived)" }
  add("countOfBytesSent", "It is 0 before anything was sent.", wants: "0") { "\($0.countOfBytesSent)" }
  add("countOfBytesClientExpectsToSend", "The default is NSURLSessionTransferSizeUnknown, -1.", wants: "-1") {
    "\($0.countOfBytesClientExpectsToSend)"
  }
  add("countOfBytesClientExpectsToReceive", "The default is NSURLSessionTransferSizeUnknown, -1.", wants: "-1") {
    "\($0.countOfBytesClientExpectsToReceive)"
  }
}

/// What the first calls of a task change.
private func addFirstCalls(_ add: NewTask) {
  add("state after resume()", "It is running.", wants: "running") { task in
    task.resume()
    return words(task.state)
  }
  add("state after cancel()", "It is canceling, or completed already.", wants: "canceling or completed") { task in
    task.cancel()
    return [.canceling, .completed].contains(task.state) ? "canceling or completed" : words(task.state)
  }
  add("state after resume() and suspend()", "It is suspended.", wants: "suspended") { task in
    task.resume()
    task.suspend()
    return words(task.state)
  }
  add("second taskIdentifier", "Numbers count up in each session.", wants: "2") { _ in
    let session = URLSession(configuration: .ephemeral)
    _ = session.dataTask(with: somewhere)
    return "\(session.dataTask(with: somewhere).taskIdentifier)"
  }
}

private func addEndedTask(_ add: EndedTask) {
  add("state", "A task that has ended is completed.", wants: "completed") { words($0.state) }
  add("countOfBytesReceived", "It counts the bytes of the body.", wants: "1024") { "\($0.countOfBytesReceived)" }
  add("countOfBytesExpectedToReceive", "It is what Content-Length announced.", wants: "1024") {
    "\($0.countOfBytesExpectedToReceive)"
  }
  add(
    "countOfBytesExpectedToReceive without a length", "It is -1 where no length was announced.",
    path: "/body?size=1KiB&length=chunked", wants: "-1"
  ) { "\($0.countOfBytesExpectedToReceive)" }
  add("error", "It is nil when the load succeeded.", wants: "nil") { $0.error == nil ? "nil" : "an error" }
  add("error after 404", "A status is no error.", path: "/status/404", wants: "nil") {
    $0.error == nil ? "nil" : "an error"
  }
  add("response", "It is the response.", wants: "200") { "\(($0.response as? HTTPURLResponse)?.statusCode ?? 0)" }
  add(
    "currentRequest behind a redirect", "It is the request that was sent last.", path: "/redirect/302?to=/ok",
    wants: "/ok"
  ) {
    $0.currentRequest?.url?.path ?? "nil"
  }
  add(
    "originalRequest behind a redirect", "It stays the first request.", path: "/redirect/302?to=/ok",
    wants: "/redirect/302"
  ) { $0.originalRequest?.url?.path ?? "nil" }
  add("progress.isFinished", "The progress of an ended task is finished.", wants: "true") {
    "\($0.progress.isFinished)"
  }
}

/// The property that a row's name begins with, after "second".
private func property(_ name: String) -> Substring {
  let name = name.replacing("second ", with: "")
  return name[..<(name.firstIndex { !$0.isLetter } ?? name.endIndex)]
}

private let somewhere = URL(string: "http://127.0.0.1:9/") ?? URL(fileURLWithPath: "/")

private func words(_ state: URLSessionTask.State) -> String {
  switch state {
  case .running: "running"
  case .suspended: "suspended"
  case .canceling: "canceling"
  case .completed: "completed"
  @unknown default: "unknown"
  }
}
