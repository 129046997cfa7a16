// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI

/// How one load ended.
struct End: Sendable {
  var data: Data?
  var response: URLResponse?
  var error: (any Error)?

  var status: Int { (response as? HTTPURLResponse)?.statusCode ?? 0 }
  /// `200` or `-1004`; a hang is `no end`.
  var words: String {
    if let error = error as NSError? {
      return error.domain == "NSURLErrorDomain" ? "\(error.code)" : "\(error.domain) \(error.code)"
    }
    return response == nil ? "no end" : "\(status)"
  }
}

/// How long a probe waits for an end, in seconds; a busy machine may need many, and `Scripts/behaviour` gives 60, for
/// what the server has to note behind it, too.
let patience = 25.0

/// The lesson server of this process.
func server(_ routes: [Route] = Route.standard) -> LessonServer { running(LessonServer(routes: routes)) }

/// Starts a server, which runs until the process ends.
func running(_ server: LessonServer) -> LessonServer {
  do {
    try server.start()
  } catch {
    print("no server: \(error)")
    exit(1)
  }
  return Unmanaged.passRetained(server).takeUnretainedValue()
}

/// An address of the server.
func address(_ server: LessonServer, _ path: String, host: String = "127.0.0.1") -> URL {
  URL(string: server.url(path, host: host)) ?? URL(fileURLWithPath: "/")
}

/// Loads with a handler and waits for the end. The handler looks at the task, for the session may
/// change it on another thread once the handler has returned.
func load(
  _ request: URLRequest, _ configuration: URLSessionConfiguration = .ephemeral,
  then look: @escaping @Sendable (URLSessionTask) -> Void = { _ in }
) -> End {
  let end = Locked(End())
  let started = Locked<URLSessionTask?>(nil)
  let hasEnded = DispatchSemaphore(value: 0)
  let session = URLSession(configuration: configuration)
  let task = session.dataTask(with: request) { data, response, error in
    if let task = started.withLock({ $0 }) { look(task) }
    end.withLock { $0 = End(data: data, response: response, error: error) }
    hasEnded.signal()
  }
  started.withLock { $0 = task }
  task.resume()
  // A load that has not ended is left alone: it would end by being cancelled, or the session hang over it.
  guard hasEnded.wait(timeout: .now() + patience) == .success else { return End() }
  session.invalidateAndCancel()
  return end.withLock { $0 }
}

/// What `/echo` says of the request that reached it.
func echoed(_ end: End) -> [String: Any] {
  guard let data = end.data, let object = try? JSONSerialization.jsonObject(with: data) else { return [:] }
  return object as? [String: Any] ?? [:]
}

/// Notes the order in which a delegate's methods are called; the same one twice in a row is noted once.
final class Notes: Sendable {
  private let names = Locked<[String]>([])
  let hasEnded = DispatchSemaphore(value: 0)

  func add(_ name: String) { names.withLock { if $0.last != name { $0.append(name) } } }
  var words: String { names.withLock { $0.isEmpty ? "none" : $0.joined(separator: ", ") } }
}
