// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Writes what comes at the end of a file.
///
/// Sendable: its methods are called on the main thread alone.
final class RangeReceiver: NSObject, NSURLConnectionDataDelegate,
  @unchecked Sendable
{
  private(set) var etag: String?
  /// Whether a status other than 206 makes the file empty again.
  var restartsUnlessPartial = false
  private let handle: FileHandle
  private let app: ExampleContext

  init(_ handle: FileHandle, _ app: ExampleContext) {
    (self.handle, self.app) = (handle, app)
  }

  func connection(
    _ connection: NSURLConnection, didReceive response: URLResponse
  ) {
    let http = response as? HTTPURLResponse
    etag = http?.value(forHTTPHeaderField: "ETag")
    if restartsUnlessPartial, http?.statusCode != 206 {
      try? handle.truncate(atOffset: 0)
    }
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    handle.write(data)
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    print("finished")
    app.quit()
  }

  func connection(
    _ connection: NSURLConnection, didFailWithError error: any Error
  ) {
    print("failed: \(error.localizedDescription)")
    app.quit()
  }
}
