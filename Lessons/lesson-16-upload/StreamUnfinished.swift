// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A stream whose end does not exist yet: a thread writes the body while the
/// connection sends it. The writer writes more once the first bytes are sent.
enum StreamUnfinished {
  static func run(_ app: ExampleContext) {
    let pipe = Pipe()
    let reading = pipe.fileHandleForReading.fileDescriptor
    var request = URLRequest(url: app.url)
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(fileAtPath: "/dev/fd/\(reading)")
    let hasSent = DispatchSemaphore(value: 0)
    let upload = Upload(app, hasSent)
    _ = NSURLConnection(request: request, delegate: upload)
    Thread { write(to: pipe.fileHandleForWriting, after: hasSent) }.start()
    app.runApplication()
  }

  private static func write(
    to pipe: FileHandle, after hasSent: DispatchSemaphore
  ) {
    let block = Data(String(repeating: LargeFile.line, count: 1024).utf8)
    for number in 0..<(LargeFile.lines / 1024) {
      if number == 1 {
        let isSent = hasSent.wait(timeout: .now() + 3) == .success
        print(isSent ? "the first bytes are sent" : "nothing is sent yet")
      }
      guard (try? pipe.write(contentsOf: block)) != nil else { return }
    }
    print("the last byte is written")
    try? pipe.close()
  }

  private final class Upload: NSObject, NSURLConnectionDataDelegate {
    private let (app, hasSent): (ExampleContext, DispatchSemaphore)
    init(_ app: ExampleContext, _ hasSent: DispatchSemaphore) {
      (self.app, self.hasSent) = (app, hasSent)
    }
    func connection(
      _ connection: NSURLConnection, didSendBodyData bytesWritten: Int,
      totalBytesWritten: Int, totalBytesExpectedToWrite: Int
    ) {
      hasSent.signal()
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      app.quit()
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("failed: \((error as NSError).code)")
      app.quit()
    }
  }
}
