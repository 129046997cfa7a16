// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// Tasks that report to a completion handler, called once on `delegateQueue`, in place of the delegate's methods for
/// response, data, progress, file and completion. The other methods, such as for redirects, are still called.
///
/// A handler is given the body, nil on failure; the response, also on failure if one had come; and the error, a
/// `URLError`, or nil. An HTTP status such as 404 is no error.
extension URLSession {
  /// A task that sends `request` and collects the body in memory: empty `Data`, not nil, where there is none.
  public func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    make(TaskOrder(request: request, receiver: .dataHandler(completionHandler)), URLSessionDataTask.init)
  }

  /// A task that gets `url` and collects the body in memory: empty `Data`, not nil, where there is none.
  public func dataTask(
    with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }

  /// A task that sends `request` with the file at `fileURL` as its body, and collects the answer in memory.
  public func uploadTask(
    with request: URLRequest, fromFile fileURL: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    make(
      TaskOrder(request: request, body: .file(fileURL), receiver: .dataHandler(completionHandler)),
      URLSessionUploadTask.init)
  }

  /// A task that sends `request` with `bodyData` as its body, an empty one for nil, and collects the answer in memory.
  public func uploadTask(
    with request: URLRequest, from bodyData: Data?,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionUploadTask {
    make(
      TaskOrder(request: request, body: .data(bodyData ?? Data()), receiver: .dataHandler(completionHandler)),
      URLSessionUploadTask.init)
  }

  /// A task that sends `request` and hands over a temporary file with the body, removed when the handler returns.
  public func downloadTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    make(
      TaskOrder(request: request, receiver: .fileHandler(completionHandler, keepsFile: false)),
      URLSessionDownloadTask.init)
  }

  /// A task that gets `url` and hands over a temporary file with the body, removed when the handler returns.
  public func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url), completionHandler: completionHandler)
  }
}
