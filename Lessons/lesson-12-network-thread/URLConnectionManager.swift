// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI

/// Defective: the first manager of note N4, line by line; left out are its
/// two streams, which it never sets, its counting of the length, and its
/// messages to the log.
final class URLConnectionManager: NSObject, NSURLConnectionDataDelegate,
  @unchecked Sendable  // as far as the note goes
{
  private let runLoopModes: Set<RunLoop.Mode> = [.common]
  private let lock = NSRecursiveLock()
  private let request: URLRequest
  private var connection: NSURLConnection?
  private var completion: (@Sendable (NSMutableData?) -> Void)?
  // begin buffer
  private unowned(unsafe) var receiveData: NSMutableData?  // ←

  init(request: URLRequest) {
    receiveData = .data()
    self.request = request
  }
  // end buffer

  private func operationDidStart() {
    lock.lock()
    connection = NSURLConnection(
      request: request, delegate: self, startImmediately: false)
    for mode in runLoopModes {
      connection?.schedule(in: .current, forMode: mode)
    }
    connection?.start()
    lock.unlock()
  }

  func start(_ block: @escaping @Sendable (NSMutableData?) -> Void) {
    lock.lock()
    completion = block
    NetworkThread.shared.perform { self.operationDidStart() }
    lock.unlock()
  }

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    receiveData?.append(data)
  }

  // begin ends
  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    _ = receiveData?.write(toFile: "", atomically: true)  // ←
    receiveData = nil
    DispatchQueue.main.async { [weak weakSelf = self] in
      weakSelf?.completion?(self.receiveData)
    }
  }

  func connection(
    _ connection: NSURLConnection, didFailWithError error: any Error
  ) {
    _ = (error as NSError).code  // ←
  }
  // end ends
}
