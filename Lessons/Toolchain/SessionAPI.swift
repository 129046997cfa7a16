// SPDX-License-Identifier: Apache-2.0
// The module that answers `import SessionAPI` when an example is compiled for the toolchain's column: FoundationNetworking,
// and a way past the recorder's methods, which bear FoundationNetworking's names in the example's own module.
@_exported public import Foundation
@_exported public import FoundationNetworking

/// What a handler of a data or an upload task takes.
public typealias DataHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void
/// What a handler of a download task takes.
public typealias FileHandler = @Sendable (URL?, URLResponse?, (any Error)?) -> Void

extension URLSession {
  /// The toolchain's initializer.
  public convenience init(
    unobserved configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, queue: OperationQueue?
  ) {
    self.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  /// The delegate that the toolchain's session has.
  public var unobservedDelegate: (any URLSessionDelegate)? { delegate }

  /// The toolchain’s way to make a data task.
  public func unobservedData(_ request: URLRequest) -> URLSessionDataTask { dataTask(with: request) }
  /// The toolchain’s way to make a data task.
  public func unobservedData(_ url: URL) -> URLSessionDataTask { dataTask(with: url) }
  /// The toolchain’s way to make a download task.
  public func unobservedDownload(_ request: URLRequest) -> URLSessionDownloadTask { downloadTask(with: request) }
  /// The toolchain’s way to make a download task.
  public func unobservedDownload(_ url: URL) -> URLSessionDownloadTask { downloadTask(with: url) }
  /// The toolchain’s way to make a download task that continues an earlier one.
  public func unobservedResume(_ data: Data) -> URLSessionDownloadTask { downloadTask(withResumeData: data) }
  /// The toolchain’s way to make an upload task.
  public func unobservedUpload(_ request: URLRequest, _ body: Data) -> URLSessionUploadTask {
    uploadTask(with: request, from: body)
  }
  /// The toolchain’s way to make an upload task.
  public func unobservedUpload(_ request: URLRequest, _ file: URL) -> URLSessionUploadTask {
    uploadTask(with: request, fromFile: file)
  }
  /// The toolchain’s way to make an upload task with a stream.
  public func unobservedStreamed(_ request: URLRequest) -> URLSessionUploadTask {
    uploadTask(withStreamedRequest: request)
  }

  /// The toolchain’s way to make a data task with a handler.
  public func unobservedData(_ request: URLRequest, _ handler: @escaping DataHandler) -> URLSessionDataTask {
    dataTask(with: request, completionHandler: handler)
  }
  /// The toolchain’s way to make a data task with a handler.
  public func unobservedData(_ url: URL, _ handler: @escaping DataHandler) -> URLSessionDataTask {
    dataTask(with: url, completionHandler: handler)
  }
  /// The toolchain’s way to make a download task with a handler.
  public func unobservedDownload(_ request: URLRequest, _ handler: @escaping FileHandler) -> URLSessionDownloadTask {
    downloadTask(with: request, completionHandler: handler)
  }
  /// The toolchain’s way to make a download task with a handler.
  public func unobservedDownload(_ url: URL, _ handler: @escaping FileHandler) -> URLSessionDownloadTask {
    downloadTask(with: url, completionHandler: handler)
  }
  /// The toolchain’s way to make a download task with a handler that continues an earlier one.
  public func unobservedResume(_ data: Data, _ handler: @escaping FileHandler) -> URLSessionDownloadTask {
    downloadTask(withResumeData: data, completionHandler: handler)
  }
  /// The toolchain’s way to make an upload task with a handler.
  public func unobservedUpload(
    _ request: URLRequest, _ body: Data?, _ handler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    uploadTask(with: request, from: body, completionHandler: handler)
  }
  /// The toolchain’s way to make an upload task with a handler.
  public func unobservedUpload(
    _ request: URLRequest, _ file: URL, _ handler: @escaping DataHandler
  ) -> URLSessionUploadTask {
    uploadTask(with: request, fromFile: file, completionHandler: handler)
  }
}

extension URLSessionTask {
  /// The delegate that the toolchain's task has.
  public var unobservedDelegate: (any URLSessionTaskDelegate)? {
    get { delegate }
    set { delegate = newValue }
  }
}

/// A delegate without any method: what it does is what the toolchain does for one that leaves a method out.
public final class EmptyDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  /// The one there is; by its protocols, so that a call finds the methods it has and none that hide them.
  public static let shared: any URLSessionDataDelegate & URLSessionDownloadDelegate = EmptyDelegate()

  /// Leaves the file to the toolchain.
  public func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {}
}

/// Small first loads with the toolchain's session, as the other columns have theirs.
public enum ToolchainWarmUp {
  /// Loads from `url` with a handler and with a delegate, and returns when all have ended.
  public static func run(_ url: URL) {
    let hasEnded = DispatchSemaphore(value: 0)
    URLSession.shared.dataTask(with: url) { _, _, _ in hasEnded.signal() }.resume()
    hasEnded.wait()
    let listener = Listener()
    let session = URLSession(configuration: .default, delegate: listener, delegateQueue: nil)
    for task in [session.dataTask(with: url), session.downloadTask(with: url)] {
      task.resume()
      listener.hasEnded.wait()
    }
    session.finishTasksAndInvalidate()
  }

  private final class Listener: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
    let hasEnded = DispatchSemaphore(value: 0)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      hasEnded.signal()
    }
  }
}
