// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// No authority has signed the server's certificate. The program remembers
/// the certificate of the first visit and accepts that one alone.
enum PinnedConnection {
  static func run(_ app: ExampleContext) {
    let pin = Pin()
    visit(app, pin)
    visit(app, pin)
  }

  /// The certificate that the program remembers is another one.
  static func changed(_ app: ExampleContext) {
    let pin = Pin()
    pin.certificate = Data("that of last year".utf8)
    visit(app, pin)
  }

  private static func visit(_ app: ExampleContext, _ pin: Pin) {
    let load = PinnedLoad(pin)
    _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
    while !load.isOver {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
  }
}
