// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Defective: note N4's four steps and no more. The program takes it for
/// granted that each answer is the part, and counts a failed part as done.
enum Unchecked {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    var head = URLRequest(url: app.url)
    head.httpMethod = "HEAD"
    NSURLConnection.sendAsynchronousRequest(head, queue: .main) {
      answer, _, _ in
      let size = answer?.expectedContentLength ?? 0
      try? Data(count: Int(size)).write(to: file)
      let group = DispatchGroup()
      // begin unchecked
      for part in 0..<Int64(4) {
        let (start, end) = (size * part / 4, size * (part + 1) / 4)
        var request = URLRequest(url: app.url)
        request.setValue(
          "bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range")  // ←
        group.enter()
        let writer = Part(file, start, group)
        _ = NSURLConnection(request: request, delegate: writer)
      }
      // end unchecked
      group.notify(queue: .main) {
        print("finished")
        app.quit()
      }
    }
    app.runApplication()
  }

  private final class Part: NSObject, NSURLConnectionDataDelegate {
    private let handle: FileHandle?
    private let group: DispatchGroup
    init(_ file: URL, _ start: Int64, _ group: DispatchGroup) {
      (handle, self.group) = (FileHandle(forWritingAtPath: file.path), group)
      try? handle?.seek(toOffset: UInt64(start))
    }
    // begin unchecked-part
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      handle?.write(data)
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      group.leave()
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) { group.leave() }  // ←
    // end unchecked-part
  }
}
