// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI

/// Writes a body to a new file; progress and end go to main, the end once.
///
/// Sendable: its methods are called on the network thread alone.
final class FileDownload: NSObject, NSURLConnectionDataDelegate,
  @unchecked Sendable
{
  private let file: URL
  private let progress: @Sendable (Int) -> Void
  private let completion: @Sendable (String?) -> Void
  private var handle: FileHandle?
  private var received = 0
  private var part: URL { file.appendingPathExtension("part") }

  init(
    to file: URL, progress: @escaping @Sendable (Int) -> Void,
    completion: @escaping @Sendable (String?) -> Void
  ) {
    (self.file, self.progress) = (file, progress)
    self.completion = completion
  }
  // begin mended
  func connection(_ load: NSURLConnection, didReceive answer: URLResponse) {
    let status = (answer as? HTTPURLResponse)?.statusCode
    attempt(load) {
      guard status == 200 else { throw URLError(.badServerResponse) }
      try Data().write(to: part)
      handle = try FileHandle(forWritingTo: part)  // ←
    }
  }
  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    attempt(connection) {
      try handle?.write(contentsOf: data)
      received += data.count
      DispatchQueue.main.async { [progress, received] in progress(received) }
    }
  }
  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    let isMoved = rename(part.path, file.path) == 0
    end(isMoved ? nil : "the old file stays")
  }
  func connection(_ load: NSURLConnection, didFailWithError: any Error) {
    end(didFailWithError.localizedDescription)
  }
  private func attempt(_ load: NSURLConnection, _ step: () throws -> Void) {
    do { try step() } catch {
      load.cancel()
      end(error.localizedDescription)
    }
  }
  private func end(_ problem: String?) {
    try? handle?.close()
    if problem != nil { try? FileManager.default.removeItem(at: part) }
    DispatchQueue.main.async { [completion] in completion(problem) }
  }
  // end mended
}
