// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI

/// Loads one part by a connection. A failed part is not done: it fails the
/// file.
final class ConnectionPart: NSObject, NSURLConnectionDataDelegate {
  private let file: PartedFile
  private let writer: PartWriter
  init(_ part: FilePart, of file: PartedFile) throws {
    (self.file, writer) = (file, try PartWriter(part, in: file.url))
  }

  func start(_ request: URLRequest, on queue: OperationQueue) {
    let connection = NSURLConnection(
      request: request, delegate: self, startImmediately: false)
    file.add { [writer] in
      connection?.cancel()
      writer.close()
    }
    connection?.setDelegateQueue(queue)
    connection?.start()
  }

  // begin part
  func connection(_ load: NSURLConnection, didReceive answer: URLResponse) {
    attempt { try writer.check(answer) }  // ←
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    attempt { try writer.write(data) }
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    attempt {
      try writer.finish()
      file.partFinished()
    }
  }

  func connection(
    _ connection: NSURLConnection, didFailWithError error: any Error
  ) { file.fail(error) }  // ←

  private func attempt(_ step: () throws -> Void) {
    do { try step() } catch { file.fail(error) }
  }
  // end part
}
