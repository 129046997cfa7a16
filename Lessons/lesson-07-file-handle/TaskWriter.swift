// SPDX-License-Identifier: Apache-2.0
import LessonKit
import SessionAPI

/// Writes a data task's pieces to a new file. The first error cancels the
/// task, and the end comes through the last method either way.
///
/// Sendable: the session calls its delegate one method at a time.
final class TaskWriter: NSObject, URLSessionDataDelegate,
  @unchecked Sendable
{
  private let target: NewFile
  private let done: @Sendable () -> Void
  private var problem: (any Error)?
  init(_ file: URL, _ done: @escaping @Sendable () -> Void) {
    (target, self.done) = (NewFile(file), done)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode
    do { try target.open(for: status) } catch {
      problem = error
    }
    completionHandler(problem == nil ? .allow : .cancel)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    didReceive data: Data
  ) {
    guard problem == nil else { return }
    do { try target.write(data) } catch {
      problem = error
      dataTask.cancel()
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    do {
      if let failure = problem ?? error { throw failure }
      try target.finish()
      print("finished")
    } catch {
      target.discard()
      print("failed: \(error.localizedDescription)")
    }
    done()
  }
}
