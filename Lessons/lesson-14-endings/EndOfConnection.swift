// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// One program for every way in which a load can end: only the server behaves
/// differently.
enum EndOfConnection {
  static func get(_ app: ExampleContext) { load("GET", app) }

  static func head(_ app: ExampleContext) { load("HEAD", app) }

  private static func load(_ method: String, _ app: ExampleContext) {
    var request = URLRequest(
      url: app.url, cachePolicy: .useProtocolCachePolicy, timeoutInterval: 1
    )
    request.httpMethod = method
    _ = NSURLConnection(request: request, delegate: Load(app))
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let app: ExampleContext
    private var receivedData = Data()
    init(_ app: ExampleContext) { self.app = app }

    func connection(
      _ connection: NSURLConnection, didReceive response: URLResponse
    ) {
      print("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      receivedData.append(data)
    }

    // begin ends
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("finished with \(receivedData.count) bytes")
      app.quit()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      let details = (error as NSError).userInfo
      let url = details[NSURLErrorFailingURLErrorKey] as? URL
      print("failed: \(url?.absoluteString ?? "no address")")
      receivedData.removeAll()  // ←
      app.quit()
    }
    // end ends
  }
}
