// SPDX-License-Identifier: Apache-2.0
import Foundation
import Locking
import SessionAPI
import Testing

/// Sessions and tasks of a test's own, in the form in which programs for Apple's systems write them: subclasses that load
/// nothing. Deprecated, as the initialisers that they call are.
@available(*, deprecated)
private final class MockTask: URLSessionDataTask, @unchecked Sendable {
  private let onResume: () -> Void

  init(onResume: @escaping () -> Void) {
    self.onResume = onResume
  }

  override var taskIdentifier: Int { 7 }
  override var progress: Progress { Progress(totalUnitCount: 3) }
  override func resume() { onResume() }
}

@available(*, deprecated)
private final class MockSession: URLSession, @unchecked Sendable {
  var data: Data?
  var error: (any Error)?
  private(set) var calls: [String] = []

  override func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    calls.append(request.url?.path ?? "")
    let (data, error) = (data, error)
    return MockTask { completionHandler(data, nil, error) }
  }

  override func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    calls.append("upload")
    return URLSessionUploadTask()
  }

  override func downloadTask(with url: URL) -> URLSessionDownloadTask {
    calls.append("download")
    return URLSessionDownloadTask()
  }

  override func webSocketTask(with url: URL) -> URLSessionWebSocketTask { URLSessionWebSocketTask() }
  override func streamTask(withHostName hostname: String, port: Int) -> URLSessionStreamTask { URLSessionStreamTask() }
  override func finishTasksAndInvalidate() { calls.append("finish") }
  override func invalidateAndCancel() { calls.append("cancel") }
  override func reset(completionHandler: @escaping @Sendable () -> Void) { calls.append("reset") }
  override func flush(completionHandler: @escaping @Sendable () -> Void) { calls.append("flush") }
  override func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) { completionHandler([]) }
}

@available(*, deprecated)
private final class MockConfiguration: URLSessionConfiguration, @unchecked Sendable {
  override var timeoutIntervalForRequest: TimeInterval {
    get { 5 }
    set {}
  }
  override var urlCache: URLCache? {
    get { nil }
    set {}
  }
  override var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get { .never }
    set {}
  }
  override var protocolClasses: [AnyClass]? {
    get { [] }
    set {}
  }
  override var waitsForConnectivity: Bool {
    get { true }
    set {}
  }
  override var isDiscretionary: Bool {
    get { true }
    set {}
  }
}

@Suite struct MockTests {
  @available(*, deprecated)
  @Test func `a session of a test's own makes tasks of its own, whose handler it calls (B.1)`() throws {
    let session = MockSession()
    session.data = Data("mocked".utf8)
    let got = Locked<Data?>(nil)
    let program: URLSession = session
    let task = program.dataTask(with: try #require(URL(string: "http://a.test/one"))) { data, _, _ in
      got.withLock { $0 = data }
    }
    #expect(got.withLock { $0 } == nil)
    task.resume()
    #expect(got.withLock { $0 } == Data("mocked".utf8))
    #expect(task.taskIdentifier == 7 && task.progress.totalUnitCount == 3)
    #expect(session.calls == ["/one"])
  }

  @available(*, deprecated)
  @Test func `what makes and ends tasks can be overridden (B.1)`() throws {
    let session = MockSession()
    let url = try #require(URL(string: "http://a.test/"))
    let tasks = [
      session.uploadTask(with: URLRequest(url: url), from: Data()), session.downloadTask(with: url),
      session.webSocketTask(with: url), session.streamTask(withHostName: "a.test", port: 1),
    ]
    for task in tasks { task.resume() }
    session.finishTasksAndInvalidate()
    session.invalidateAndCancel()
    session.reset {}
    session.flush {}
    #expect(session.calls == ["upload", "download", "finish", "cancel", "reset", "flush"])
  }

  @available(*, deprecated)
  @Test func `a task that no session made is inert (B.5)`() async {
    let socket = URLSessionWebSocketTask()
    let tasks = [
      URLSessionTask(), URLSessionDataTask(), URLSessionUploadTask(), URLSessionDownloadTask(), URLSessionStreamTask(),
      socket,
    ]
    for task in tasks {
      task.resume()
      task.suspend()
      task.cancel()
      #expect(task.state == .suspended && task.taskIdentifier == 0)
      #expect(task.originalRequest == nil && task.currentRequest == nil && task.response == nil && task.error == nil)
      #expect(task.countOfBytesReceived == 0 && task.countOfBytesExpectedToReceive == NSURLSessionTransferSizeUnknown)
      #expect(!task.progress.isFinished)
      task.taskDescription = "kept"
      #expect(task.taskDescription == "kept")
    }
    socket.send(.string("")) { _ in }
    socket.cancel(with: .normalClosure, reason: nil)
    #expect(await URLSessionDownloadTask().cancelByProducingResumeData() == nil)
  }

  @available(*, deprecated)
  @Test func `a session made without a configuration is not held (B.1)`() {
    weak var session: URLSession?
    do {
      let made = URLSession()
      session = made
      #expect(made.delegate == nil && made.configuration.urlCache == nil)
    }
    #expect(session == nil)
  }

  @available(*, deprecated)
  @Test func `a configuration's properties can be overridden (B.4)`() {
    let configuration: URLSessionConfiguration = MockConfiguration()
    #expect(configuration.timeoutIntervalForRequest == 5 && configuration.urlCache == nil)
    #expect(configuration.httpCookieAcceptPolicy == .never && configuration.protocolClasses?.isEmpty == true)
    #expect(configuration.waitsForConnectivity && configuration.isDiscretionary)
    #expect(URLSessionConfiguration().timeoutIntervalForRequest == 60)
    #expect(URLSessionConfiguration().httpCookieStorage == nil)
  }
}
