// SPDX-License-Identifier: Apache-2.0
import Delivery
public import Foundation
import Locking
import URLLoading

/// A TCP connection to read from and to write to, in order; or the body of a response, to be read.
///
/// The task connects with its first `resume()`; what is read and written before waits for the connection. All handlers are
/// called on the session's `delegateQueue`, each once. The task completes when both sides are closed: the reading side
/// when a read met the end of the stream, or by `closeRead()`; the writing side by `closeWrite()`. Any error of a
/// read or a write, also a time-out, is final for its side. `originalRequest` and `currentRequest` are nil.
/// After a lost connection reads get the bytes that had arrived, and then fail with -1005. The task completes when the client has read
/// them, or has made no call for a second.
///
/// Differences from Apple: `stopSecureConnection()` never goes back from TLS to plain bytes.
open class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {
  let driver: StreamDriver

  init(
    _ specification: TaskSpecification, identifier: Int, session: URLSession, context: LoadContext, driver: StreamDriver
  ) {
    self.driver = driver
    super.init(specification, identifier: identifier, session: session, context: context)
  }

  /// An inert task, for subclasses of a test's own: it loads nothing, and what it is asked for is never answered.
  @available(*, deprecated, message: "A session makes its tasks.")
  public override init() {
    driver = StreamDriver()
    super.init()
  }

  init(inPlaceOf last: URLSessionTask, identifier: Int, state: TaskState, driver: StreamDriver) {
    self.driver = driver
    super.init(inPlaceOf: last, identifier: identifier, state: state, for: .rawConnection(driver))
  }

  override func makeClient(for receiver: Receiver) -> TaskClient { ConnectionClient(self, driver) }

  override func cancel(_ load: Load) { driver.cancelled(self, load) }

  // MARK: Reading and writing

  /// Reads, after all reads before.
  ///
  /// - Parameters:
  ///   - minBytes: The least bytes to wait for; less come at the end of the stream alone. At least 1 counts.
  ///   - maxBytes: The most bytes to take; the rest waits for the next read.
  ///   - timeout: Seconds, from the opening of the connection on; 0 for no limit.
  ///   - completionHandler: Takes the bytes; whether the stream has ended behind them; an error, with which there are none.
  open func readData(
    ofMinLength minBytes: Int, maxLength maxBytes: Int, timeout: TimeInterval,
    completionHandler: @escaping @Sendable (Data?, Bool, (any Error)?) -> Void
  ) {
    driver.ask(.read(completionHandler), within: timeout, of: self) {
      $0.read($1, minimum: minBytes, maximum: maxBytes)
    }
  }

  /// Reads; returns the bytes and whether the stream has ended behind them.
  open func readData(
    ofMinLength minBytes: Int, maxLength maxBytes: Int, timeout: TimeInterval
  ) async throws -> (Data?, Bool) {
    try await withCheckedThrowingContinuation { continuation in
      readData(ofMinLength: minBytes, maxLength: maxBytes, timeout: timeout) { data, atEOF, error in
        continuation.resume(with: error.map { .failure($0) } ?? .success((data, atEOF)))
      }
    }
  }

  /// Writes, after all writes before.
  ///
  /// - Parameters:
  ///   - data: The bytes to write.
  ///   - timeout: Seconds, from the opening of the connection on; 0 for no limit.
  ///   - completionHandler: Called with nil when the system has taken the bytes, which says nothing about the peer; or with
  ///     an error.
  open func write(
    _ data: Data, timeout: TimeInterval, completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let bytes = [UInt8](data)
    driver.ask(.write(completionHandler), within: timeout, of: self) { $0.write($1, bytes) }
  }

  /// Writes; returns when the system has taken the bytes.
  open func write(_ data: Data, timeout: TimeInterval) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      write(data, timeout: timeout) { continuation.resume(with: $0.map { .failure($0) } ?? .success(())) }
    }
  }

  // MARK: Closing

  /// Closes the reading side after the reads that wait; later bytes are dropped. The delegate gets `readClosedFor`.
  open func closeRead() {
    driver.report(self) { $0.closeRead() }
  }

  /// Closes the writing side after the writes that wait; the peer sees the end of the stream. The delegate gets
  /// `writeClosedFor`.
  open func closeWrite() {
    driver.report(self) { $0.closeWrite() }
  }

  /// Ends the task in favour of two streams, after the reads and writes that wait. The delegate gets them, unopened, in
  /// `urlSession(_:streamTask:didBecome:outputStream:)`, with which the task has completed: no call follows, not even
  /// a completion. Reads and writes from now on fail with -1005 over `POSIXError.ENOTCONN`, and closing has no effect.
  ///
  /// A task whose both sides are closed by then, that fails or is cancelled before, completes as ever. Where the task was a
  /// data task, the input stream reads the rest of the body, and the output stream is at its end.
  open func captureStreams() {
    driver.report(self) { $0.capture() }
  }

  /// Speaks TLS, after the reads and writes that wait; what is read, written and closed from now on waits for it. The server's
  /// certificate is judged for the host name, and the delegate is asked as for a request over https, before anything
  /// more is sent.
  ///
  /// A handshake that fails ends the task, with -1200 to -1206. So does one that cannot begin, with -1200: where a side of
  /// the stream is closed or failed by then, or plain bytes wait unread, which could not be distinguished from those
  /// sent over TLS. More than once is once. A stream that was a data task stays as it is.
  open func startSecureConnection() {
    driver.report(self) { $0.secure() }
  }

  /// Has no effect, and says so (`URLLoadingLog`): what began with TLS ends with it. On Apple's systems it once went back to
  /// plain bytes, and never over TLS 1.3.
  @available(*, deprecated, message: "TLS cannot be disabled once it is enabled")
  open func stopSecureConnection() {
    URLLoadingLog.say(
      .warning, "URLSessionStreamTask", "stopSecureConnection() had no effect: TLS goes on to the end of the stream")
  }
}

// MARK: - Delegates

extension URLSessionStreamTask {
  func deliverClosed(_ side: StreamSide) {
    if let delegate = receiver(\.stream) { deliverClosed(side, to: delegate) }
  }

  func deliverClosed(_ side: StreamSide, to delegate: any URLSessionStreamDelegate) {
    let method: DelegateMethod = side == .read ? .readClosed : .writeClosed
    method.run(on: delegate) {
      announce(method)
    } call: {
      switch side {
      case .read: delegate.urlSession(session, readClosedFor: self)
      case .write: delegate.urlSession(session, writeClosedFor: self)
      }
    }
  }
}

extension URLSessionStreamTask {
  /// The delegate gets the streams; where it does not take them, the connection ends.
  func deliverCapture(of connection: CapturedConnection, _ end: LoadEnd, _ load: Load) {
    guard let client else { return }
    let isHandedOver = client.deliverHandover(end, of: load) {
      let streams = (CapturedInputStream(connection), CapturedOutputStream(connection))
      if let delegate = delegates.stream { deliver(streams, to: delegate) }
    }
    guard !isHandedOver else { return }
    connection.close(.read)
    connection.close(.write)
  }

  func deliver(_ streams: (input: InputStream, output: OutputStream), to delegate: any URLSessionStreamDelegate) {
    DelegateMethod.didCapture.run(on: delegate) {
      announce(.didCapture)
    } call: {
      delegate.urlSession(session, streamTask: self, didBecome: streams.input, outputStream: streams.output)
    }
  }
}

/// One direction of a stream.
enum StreamSide {
  case read, write
}
