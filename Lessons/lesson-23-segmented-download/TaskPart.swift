// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionAPI

/// Loads one part by a task, as its delegate. A failed part is not done: it
/// fails the file.
///
/// Sendable: the session calls its delegates one method at a time.
final class TaskPart: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let file: PartedFile
  private let writer: PartWriter
  init(_ part: FilePart, of file: PartedFile) throws {
    (self.file, writer) = (file, try PartWriter(part, in: file.url))
  }

  func start(_ request: URLRequest, in session: URLSession) {
    let task = session.dataTask(with: request)
    task.delegate = self
    file.add { [writer] in
      task.cancel()
      writer.close()
    }
    task.resume()
  }

  // begin part
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let isRight = attempt { try writer.check(response) }  // ←
    completionHandler(isRight ? .allow : .cancel)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    didReceive data: Data
  ) { attempt { try writer.write(data) } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    attempt {
      if let error { throw error }  // ←
      try writer.finish()
      file.partFinished()
    }
  }
  // end part

  @discardableResult
  private func attempt(_ step: () throws -> Void) -> Bool {
    do { try step() } catch {
      file.fail(error)
      return false
    }
    return true
  }
}
