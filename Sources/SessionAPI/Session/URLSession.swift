// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Locking
import Timeline
public import URLLoading

/// Makes tasks that share a configuration, a delegate and a pool of connections.
///
/// A session holds its delegate strongly, and itself, until it has been invalidated and its last task has ended: one
/// that is dropped without `finishTasksAndInvalidate()` or `invalidateAndCancel()` stays in memory with its delegate
/// until the process ends, as on Apple. Make few sessions and keep them: each has connections of its own.
///
/// A task starts with its first `resume()`. Without a completion handler it reports to the delegate. A completion handler is
/// called once, on `delegateQueue`, in place of the delegate's methods for response, data, progress, file and completion; the
/// other methods, such as for redirects, are still called. It takes the body, nil on failure; the response, also on
/// failure if one had come; and the error, a `URLError`, or nil. An HTTP status such as 404 is no error.
///
/// All callbacks are operations on `delegateQueue`. Thread-safe. What makes and ends tasks can be overridden, so that a test
/// gives a program tasks that load nothing.
///
/// Difference from Apple: also on a queue that runs several operations at a time, the callbacks of one task come one at
/// a time and in order.
open class URLSession: NSObject, @unchecked Sendable {
  // Sendable: what changes lies in `changing`, behind its lock; the rest is constant, and `copied` locks itself.
  let parts: SessionParts

  private static let ofProcess = URLSession(.default, delegate: nil, queue: nil, isShared: true)

  /// The session for simple requests: default configuration, no delegate. Invalidating it has no effect.
  open class var shared: URLSession { ofProcess }

  /// A session without a delegate, for tasks with completion handlers and for `async` calls.
  ///
  /// - Parameter configuration: Copied.
  public convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration, delegate: nil, queue: nil)
  }

  /// A session with a delegate.
  ///
  /// - Parameters:
  ///   - configuration: Copied.
  ///   - delegate: Held strongly until the session has become invalid.
  ///   - queue: Where callbacks run; nil for a serial queue of the session's own.
  public convenience init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue queue: OperationQueue?
  ) {
    self.init(configuration, delegate: delegate, queue: queue)
  }

  /// A session for subclasses that make their own tasks, as a test's do. It has the usual configuration without stores of
  /// cookies and responses, and goes with the last reference to it or to one of its tasks.
  @available(*, deprecated, message: "Use init(configuration:) or init(configuration:delegate:delegateQueue:).")
  public override init() {
    parts = SessionParts(URLSessionConfiguration(LoadConfiguration()))
    super.init()
  }

  /// A session that only its users hold.
  init(parts: SessionParts) {
    self.parts = parts
    super.init()
  }

  /// The session that the public ones are; tests choose where downloads are written.
  init(
    _ configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, queue: OperationQueue?,
    isShared: Bool = false, directory: URL? = nil
  ) {
    parts = SessionParts(configuration, delegate: delegate, queue: queue, isShared: isShared, directory: directory)
    super.init()
    Self.living.withLock { $0[ObjectIdentifier(self)] = self }
    if !isShared {
      // A background session is meant to outlast its program.
      let needsEnd = delegate != nil && parts.agent == nil
      Timeline.emit(.step(.sessionMade(needsEnd: needsEnd)), subject: parts.subject)
      SessionWatch.settle(configuration)
    }
    parts.agent?.begin(for: self)
  }

  // MARK: Properties

  /// Where callbacks run: the queue given at the making, or a serial one of the session's own.
  ///
  /// A given queue is used as it is; one that is suspended or blocked holds back callbacks, then, after 1 MiB for each
  /// task, the transfers.
  open var delegateQueue: OperationQueue { parts.queue }

  /// A copy of the configuration that the session was made with; changing it changes nothing.
  open var configuration: URLSessionConfiguration {
    let copy = URLSessionConfiguration(parts.configuration.loadConfiguration)
    SessionWatch.settle(copy)
    return copy
  }

  /// The delegate given at the making; nil once the session has become invalid.
  open var delegate: (any URLSessionDelegate)? { roles.session }

  /// A text of the user's own.
  open var sessionDescription: String? {
    get { changing.withLock { $0.sessionDescription } }
    set { changing.withLock { $0.sessionDescription = newValue } }
  }

  // MARK: Tasks that report to the delegate

  /// A task that sends `request` and gives the body to the data delegate, piece by piece.
  open func dataTask(with request: URLRequest) -> URLSessionDataTask { makeDataTask(request, for: .dataDelegate) }

  /// A task that gets `url` and gives the body to the data delegate, piece by piece.
  open func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }

  /// A task that sends `request` with the file at `fileURL` as its body, in place of the request's own. The file is
  /// read while it is sent; one that is missing ends the task with an error.
  open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    makeUploadTask(request, .file(fileURL), for: .dataDelegate)
  }

  /// A task that sends `request` with `bodyData` as its body, in place of the request's own.
  open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    makeUploadTask(request, .data(bodyData), for: .dataDelegate)
  }

  /// A task that sends `request` with a body from the stream that the delegate gives in `needNewBodyStream`, for the first
  /// time and whenever it has to be sent again. It is sent chunked, unless the request states its `Content-Length`.
  open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    makeUploadTask(request, .requested, for: .dataDelegate)
  }

  /// A task that continues the upload of `resumeData` and gives the answer to the data delegate.
  ///
  /// The task asks the server how much it has and sends the rest; where the body was a stream, the delegate is asked for the
  /// rest of it (`needNewBodyStreamFrom`). Resume data that cannot be read, or whose file has changed or is gone, makes the
  /// task fail with -3001 (`URLError.cannotOpenFile`), as does a server that no longer knows the upload; what is no resume
  /// data at all makes it fail with -1002 (`URLError.unsupportedURL`).
  open func uploadTask(withResumeData resumeData: Data) -> URLSessionUploadTask {
    make(.uploading(resumeData, receiver: .dataDelegate), URLSessionUploadTask.init)
  }

  /// A task that sends `request` and gives the download delegate a temporary file with the body.
  open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    makeDownloadTask(request, for: .downloadDelegate)
  }

  /// A task that gets `url` and gives the download delegate a temporary file with the body.
  open func downloadTask(with url: URL) -> URLSessionDownloadTask { downloadTask(with: URLRequest(url: url)) }

  /// A task that continues the download of `resumeData` and gives the download delegate the whole file.
  ///
  /// The task asks for the missing part of the same version (`Range` with `If-Range`) and writes it behind what there is.
  /// Where the server has another version by now, or sends no parts, the download starts from the beginning. Resume data
  /// that cannot be read, or whose file is gone, makes the task fail with -3001 (`URLError.cannotOpenFile`), and what is no
  /// resume data at all with -1002 (`URLError.unsupportedURL`). Data of Apple's own systems cannot be read here, because
  /// it holds archives that exist only there.
  open func downloadTask(withResumeData resumeData: Data) -> URLSessionDownloadTask {
    makeDownloadTask(.resuming(resumeData, receiver: .downloadDelegate))
  }

  /// A task for a TCP connection to a host, by its name or address, and a port from 1 to 65535. Others end the task with
  /// -1003.
  open func streamTask(withHostName hostname: String, port: Int) -> URLSessionStreamTask {
    makeStreamTask(hostname, port)
  }

  /// A task for the WebSocket at `url`. A URL with another scheme than `ws` or `wss` ends its task with -1002.
  open func webSocketTask(with url: URL) -> URLSessionWebSocketTask { webSocketTask(with: URLRequest(url: url)) }

  /// A task for the WebSocket at `url` that offers these sub-protocols, the preferred one first. A name that is no token
  /// ends the task with -1000.
  open func webSocketTask(with url: URL, protocols: [String]) -> URLSessionWebSocketTask {
    makeWebSocketTask(URLRequest(url: url), protocols)
  }

  /// A task for the WebSocket that `request` opens: with its header fields, a `Sec-WebSocket-Protocol` of its own among
  /// them, and its time-out, which counts until the WebSocket is open.
  open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask { makeWebSocketTask(request, []) }

  // MARK: Tasks that report to a completion handler

  /// A task that sends `request` and collects the body in memory: empty `Data`, not nil, where there is none.
  open func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    makeDataTask(request, for: .dataHandler(completionHandler))
  }

  /// A task that gets `url` and collects the body in memory: empty `Data`, not nil, where there is none.
  open func dataTask(
    with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// A task that sends `request` with the file at `fileURL` as its body, and collects the answer in memory.
  open func uploadTask(
    with request: URLRequest, fromFile fileURL: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    makeUploadTask(request, .file(fileURL), for: .dataHandler(completionHandler))
  }

  /// A task that sends `request` with `bodyData` as its body, an empty one for nil, and collects the answer in memory.
  open func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    makeUploadTask(request, .data(bodyData ?? Data()), for: .dataHandler(completionHandler))
  }

  /// A task that resumes the upload of `resumeData` and collects the answer in memory.
  open func uploadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    make(.uploading(resumeData, receiver: .dataHandler(completionHandler)), URLSessionUploadTask.init)
  }

  /// A task that sends `request` and passes the handler a temporary file with the body, removed when it returns.
  open func downloadTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    makeDownloadTask(request, for: .fileHandler(completionHandler, keepsFile: false))
  }

  /// A task that gets `url` and passes the handler a temporary file with the body, removed when it returns.
  open func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// A task that resumes the download of `resumeData`. The handler gets a temporary file with the whole body, which is
  /// removed when it returns.
  open func downloadTask(
    withResumeData resumeData: Data,
    completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    make(
      .resuming(resumeData, receiver: .fileHandler(completionHandler, keepsFile: false)), URLSessionDownloadTask.init)
  }

  // MARK: What there is, and its end

  /// Gives `completionHandler`, on `delegateQueue`, the data, upload and download tasks that run or are suspended, not those
  /// that were never resumed, are cancelled or have completed.
  open func getTasksWithCompletionHandler(
    _ completionHandler:
      @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void
  ) {
    let tasks = sorted()
    post { completionHandler(tasks.0, tasks.1, tasks.2) }
  }

  /// Gives `completionHandler`, on `delegateQueue`, all tasks that run or are suspended.
  open func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    let tasks = listedTasks
    post { completionHandler(tasks) }
  }

  /// Lets the tasks there are end, those that were never resumed as well, and takes no new ones. Then the session calls
  /// the delegate and releases it. Returns at once; a second call has no effect, nor has one on `shared`.
  open func finishTasksAndInvalidate() { finishTasks() }

  /// Cancels all tasks, each of which ends with -999, and takes no new ones. Then calls the delegate a last time and
  /// releases it. Returns at once; a second call has no effect, nor has one on `shared`.
  open func invalidateAndCancel() { cancelTasks() }

  /// Empties the stores of cookies, responses and credentials of the configuration, which other sessions may share, and
  /// forgets what servers accepted. Later tasks use new connections. Then calls `completionHandler` on `delegateQueue`.
  ///
  /// Tasks that were made before continue unchanged.
  open func reset(completionHandler: @escaping @Sendable () -> Void) { emptyStores(completionHandler) }

  /// Writes what the stores have not written yet, lets later tasks use new connections and forgets what servers accepted. The
  /// stores write to their disks by themselves, too, within a moment. Then calls `completionHandler` on `delegateQueue`.
  ///
  /// Tasks that were made before continue unchanged.
  open func flush(completionHandler: @escaping @Sendable () -> Void) { renewConnections(completionHandler) }
}
