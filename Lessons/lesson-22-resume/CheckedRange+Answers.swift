// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// What the answer decides: to continue the partial file, to write it anew,
/// or to leave it alone.
extension CheckedRange: NSURLConnectionDataDelegate {
  // begin answer
  func connection(
    _ connection: NSURLConnection, didReceive response: URLResponse
  ) {
    guard let http = response as? HTTPURLResponse else { return }
    switch http.statusCode {
    case 206 where isRest(http): write(to: partial, from: offset)
    case 200: writeAnew(http)  // another version, or no ranges
    default: fail("status \(http.statusCode), not the rest")  // ←
    }
  }

  private func isRest(_ http: HTTPURLResponse) -> Bool {
    http.value(forHTTPHeaderField: "Content-Range")
      == "bytes \(offset)-\(total - 1)/\(total)"
      && http.value(forHTTPHeaderField: "ETag") == etag
  }
  // end answer

  private func writeAnew(_ http: HTTPURLResponse) {
    etag = http.value(forHTTPHeaderField: "ETag")
    total = http.expectedContentLength
    _ = FileManager.default.createFile(atPath: partial.path, contents: nil)
    write(to: partial, from: 0)
  }

  private func write(to file: URL, from offset: UInt64) {
    handle = FileHandle(forWritingAtPath: file.path)
    do { try handle?.seek(toOffset: offset) } catch { fail("\(error)") }
    if handle == nil { fail("\(file.path) cannot be written") }
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    do { try handle?.write(contentsOf: data) } catch { fail("\(error)") }
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    do {
      try handle?.close()
      let file = app.scratch.appendingPathComponent("download")
      try FileManager.default.moveItem(at: partial, to: file)
      print("finished")
      app.quit()
    } catch { fail("\(error)") }
  }

  func connection(
    _ connection: NSURLConnection, didFailWithError error: any Error
  ) {
    fail(error.localizedDescription)
  }
}
