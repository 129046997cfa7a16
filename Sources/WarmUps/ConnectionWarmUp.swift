// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
public import Foundation

/// Small first loads with a connection, one of each kind the lessons use.
public enum ConnectionWarmUp {
  /// Loads from `url` on the calling thread and over a delegate, and returns when both have ended.
  ///
  /// As a program does at its launch, it says before the first load what may be stored: nothing on disk, so that no example
  /// finds what another one left.
  public static func run(_ url: URL) {
    URLCache.shared = URLCache(
      memoryCapacity: 4 << 20, diskCapacity: 0, diskPath: FileManager.default.temporaryDirectory.path)
    let request = URLRequest(url: url)
    _ = try? unsafe NSURLConnection.sendSynchronousRequest(request, returning: nil)
    let listener = Listener()
    let connection = NSURLConnection(request: request, delegate: listener, startImmediately: false)
    connection?.setDelegateQueue(OperationQueue())
    connection?.start()
    listener.hasEnded.wait()
    let onLoop = Listener()
    _ = NSURLConnection(request: request, delegate: onLoop)
    while onLoop.hasEnded.wait(timeout: .now()) == .timedOut {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1))
    }
  }

  private final class Listener: NSObject, NSURLConnectionDataDelegate {
    let hasEnded = DispatchSemaphore(value: 0)

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {}
    func connection(_ connection: NSURLConnection, didReceive data: Data) {}
    func connectionDidFinishLoading(_ connection: NSURLConnection) { hasEnded.signal() }
    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) { hasEnded.signal() }
  }
}
