// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// Two large answers at the same time, one delegate each.
enum TwoConnections {
  static func run(_ app: ExampleContext) {
    let group = DispatchGroup()
    for name in ["first", "second"] {
      group.enter()
      let load = Load(name) { group.leave() }
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
    }
    group.notify(queue: .main) { app.quit() }
    app.runApplication()
  }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let name: String
    private let ended: () -> Void

    init(_ name: String, ended: @escaping () -> Void) {
      self.name = name
      self.ended = ended
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {}

    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      print("the \(name) has finished")
      ended()
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      print("the \(name) failed: \(error.localizedDescription)")
      ended()
    }
  }
}
