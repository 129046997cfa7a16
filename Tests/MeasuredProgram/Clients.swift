// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import SessionAPI

/// Clients that hold a session and are its delegate, and a program that ends while its callback runs.
enum Clients {
  private class Base: NSObject, @unchecked Sendable {
    fileprivate var session: URLSession?
  }

  private final class Client: Base, URLSessionDataDelegate, @unchecked Sendable {
    private var last: URLSessionDataTask?
    private let ended = DispatchSemaphore(value: 0)

    func load() {
      let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
      let task = session.dataTask(with: MeasuredProgram.server)
      (self.session, last) = (session, task)
      task.resume()
      ended.wait()
    }

    func end() { session?.finishTasksAndInvalidate() }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      ended.signal()
    }
  }

  nonisolated(unsafe) private static var kept: Client?

  /// Nothing but each other holds the client and its session, until the program's end.
  @inline(never) static func letGo() { Client().load() }

  /// The program holds its client for life.
  static func keep() {
    kept = Client()
    kept?.load()
  }

  @inline(never) static func end() {
    let client = Client()
    client.load()
    client.end()
  }

  private static let isEnding = DispatchSemaphore(value: 0)

  /// The handler lets the program end, and returns once that has begun. It does nothing with the file.
  static func leaveFile(_ url: URL) {
    let ended = DispatchSemaphore(value: 0)
    URLSession.shared.downloadTask(with: url) { _, _, _ in
      ended.signal()
      isEnding.wait()
    }.resume()
    // The last handler that was registered is the first to run, so the recorder's comes after it.
    atexit { Clients.isEnding.signal() }
    ended.wait()
  }
}
