// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import SessionAPI

/// `BackgroundProgram IDENTIFIER FOLDER URL…`: a program with a background session, as a test starts and kills it.
///
/// Each life lists the tasks that it finds, makes one for each URL that has neither a task nor a file in the folder, moves
/// what comes there under its number, and ends when all is there. It says on its standard output what happens, a line for
/// each event. "-" stands for no background session, to compare with. The environment has:
///
/// - `BACKGROUND_PASSWORD`: the program's answer to servers that ask for a password.
/// - `BACKGROUND_TOKEN`: the field `Authorization` of its requests.
/// - `BACKGROUND_METHOD`: their method. Each task then has a field `Made-As` of its own, and its end a line with that.
/// - `BACKGROUND_HOLD`: a named pipe. Before it moves a file, the program waits until the test opens the pipe for writing.
/// - `BACKGROUND_LAUNCH`: it asks to be started again.
/// - `BACKGROUND_LINES`: a file for its lines of all lives, each of which begins with how it was started.
/// - `BACKGROUND_LEAVES`: every life but the first ends at once.
@main enum BackgroundProgram {
  static func main() {
    let arguments = CommandLine.arguments
    beginLife(arguments)
    let delegate = Delegate(folder: URL(fileURLWithPath: arguments[2]), count: arguments.count - 3)
    let configuration: URLSessionConfiguration =
      arguments[1] == "-" ? .default : .background(withIdentifier: arguments[1])
    if ProcessInfo.processInfo.environment["BACKGROUND_LAUNCH"] != nil { configuration.sessionSendsLaunchEvents = true }
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    session.getAllTasks { tasks in
      for task in tasks { say("found \(task.taskDescription ?? "none") \(task.taskIdentifier)") }
      let known = Set(tasks.compactMap(\.taskDescription))
      for (number, text) in arguments.dropFirst(3).enumerated() {
        let name = "\(number)"
        guard !known.contains(name), !delegate.has(name), let url = URL(string: text) else { continue }
        // A test may hold the answer back for longer than the 60 s after which a download is tried again.
        var request = withToken(URLRequest(url: url, timeoutInterval: 3_600))
        if let method = ProcessInfo.processInfo.environment["BACKGROUND_METHOD"] {
          request.httpMethod = method
          request.setValue(UUID().uuidString, forHTTPHeaderField: "Made-As")
        }
        let task = session.downloadTask(with: request)
        task.taskDescription = name
        task.resume()
        say("started \(name)")
      }
      say("ready")
      delegate.isReady = true
      delegate.endIfDone(session)
    }
    // The test kills this program, or the delegate ends it.
    while true { sleep(1_000) }
  }
}

final class Delegate: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
  // Sendable: what changes is touched on the delegate queue alone.
  var isReady = false
  private let folder: URL
  private let count: Int

  init(folder: URL, count: Int) { (self.folder, self.count) = (folder, count) }

  func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
  }

  func endIfDone(_ session: URLSession) {
    if isReady, (0..<count).allSatisfy({ has("\($0)") }) { session.finishTasksAndInvalidate() }
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    say("done")
    exit(0)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    say("written \(downloadTask.taskDescription ?? "none") \(totalBytesWritten)")
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    let name = downloadTask.taskDescription ?? "none"
    if let pipe = ProcessInfo.processInfo.environment["BACKGROUND_HOLD"] {
      say("held \(name)")
      close(open(pipe, O_RDONLY | O_CLOEXEC))
    }
    let isMoved = rename(location.path, folder.appendingPathComponent(name).path) == 0
    say("\(isMoved ? "file" : "lost") \(name)")
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    say("complete \(task.taskDescription ?? "none") \((error as? URLError)?.errorCode ?? 0)")
    if let made = task.originalRequest?.value(forHTTPHeaderField: "Made-As") { say("over \(made)") }
    if let error { say("reason \(error.localizedDescription)") }
    if let reason = (error as? URLError)?.backgroundTaskCancelledReason { say("cancelled by the system: \(reason)") }
    endIfDone(session)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    say("asked \(task.taskDescription ?? "none") \(challenge.previousFailureCount)")
    guard let password = ProcessInfo.processInfo.environment["BACKGROUND_PASSWORD"] else {
      return completionHandler(.performDefaultHandling, nil)
    }
    completionHandler(.useCredential, URLCredential(user: "lesson", password: password, persistence: .none))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
  ) {
    say("begins \(task.taskDescription ?? "none")")
    completionHandler(.useNewRequest, withToken(request))
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { say("events") }
}

func withToken(_ request: URLRequest) -> URLRequest {
  var request = request
  if let token = ProcessInfo.processInfo.environment["BACKGROUND_TOKEN"] {
    request.setValue(token, forHTTPHeaderField: "Authorization")
  }
  return request
}

func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  guard let path = ProcessInfo.processInfo.environment["BACKGROUND_LINES"] else { return }
  let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  guard file >= 0 else { return }
  _ = write(file, "\(line)\n", line.utf8.count + 1)
  close(file)
}

func beginLife(_ arguments: [String]) {
  let environment = ProcessInfo.processInfo.environment
  guard let path = environment["BACKGROUND_LINES"] else { return }
  let isFirst = !FileManager.default.fileExists(atPath: path)
  let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  say("life \(arguments) in \(FileManager.default.currentDirectoryPath)")
  say("descriptors \(descriptors.compactMap(Int.init).sorted())")
  if !isFirst, environment["BACKGROUND_LEAVES"] != nil { exit(0) }
}
