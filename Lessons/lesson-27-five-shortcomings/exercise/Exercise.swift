// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
@preconcurrency import CoreFoundation
import Foundation
import LessonKit

/// Loads the body of `app.url` into the file “download”. A person looks at the details, a small document with a name,
/// after 0.2 s, presses pause after 0.4 s, and play after 3 s.
enum Exercise {
  static func run(_ app: ExerciseContext) {
    let loader = Loader(app)
    loader.loadFile()
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.2) { loader.loadDetails() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) { loader.pause() }
    DispatchQueue.main.asyncAfter(deadline: .now() + 3) { loader.play() }
    app.runApplication()
  }
}

// TODO: this class has all five shortcomings. Write it anew with SessionAPI.

/// Sendable: its properties are used on its own thread alone.
final class Loader: NSObject, NSURLConnectionDataDelegate, @unchecked Sendable {
  private let app: ExerciseContext
  private let thread = NetworkThread()
  private var body = Data()
  private var connection: NSURLConnection?

  init(_ app: ExerciseContext) { self.app = app }

  func loadFile() {
    thread.perform { [self] in connection = NSURLConnection(request: URLRequest(url: app.url), delegate: self) }
  }

  func loadDetails() {
    let details = app.url("/name?\(app.url.query ?? "")")
    thread.perform { [self] in _ = NSURLConnection(request: URLRequest(url: details), delegate: self) }
  }

  func pause() {
    thread.perform { [self] in
      connection?.cancel()
      body = Data()
    }
  }

  func play() { loadFile() }

  func connection(_ connection: NSURLConnection, didReceive data: Data) { body.append(data) }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    if connection === self.connection {
      try? body.write(to: app.scratch.appendingPathComponent("download"))
      app.progress(1)
      app.quit()
    } else {
      let details = try? JSONDecoder().decode(Details.self, from: body)
      app.result(details?.name ?? "?")
    }
  }

  func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
    print("failed: \(error.localizedDescription)")
    app.quit()
  }
}

/// A small document about the file.
private struct Details: Decodable {
  var name: String
}

/// A thread with a run loop, to which other threads hand their work. Sendable: the loop is set before `init` returns.
final class NetworkThread: @unchecked Sendable {
  private var loop: CFRunLoop?

  init() {
    let isReady = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [self] in
      var context = CFRunLoopSourceContext()
      loop = CFRunLoopGetCurrent()
      CFRunLoopAddSource(loop, CFRunLoopSourceCreate(nil, 0, &context), kCFRunLoopDefaultMode)
      isReady.signal()
      RunLoop.current.run()
    }
    isReady.wait()
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    guard let loop else { return }
    CFRunLoopPerformBlock(loop, kCFRunLoopCommonModes, work)
    CFRunLoopWakeUp(loop)
  }
}
