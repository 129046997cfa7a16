// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// Tasks that report to the delegate. Each starts with its first `resume()`.
extension URLSession {
  /// A task that sends `request` and gives the body to the data delegate, piece by piece.
  public func dataTask(with request: URLRequest) -> URLSessionDataTask {
    make(TaskOrder(request: request, receiver: .dataDelegate), URLSessionDataTask.init)
  }

  /// A task that gets `url` and gives the body to the data delegate, piece by piece.
  public func dataTask(with url: URL) -> URLSessionDataTask {
    dataTask(with: URLRequest(url: url))
  }

  /// A task that sends `request` with the file at `fileURL` as its body, in place of the request's own. The file is
  /// read while it is sent; one that is missing ends the task with an error.
  public func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    make(TaskOrder(request: request, body: .file(fileURL), receiver: .dataDelegate), URLSessionUploadTask.init)
  }

  /// A task that sends `request` with `bodyData` as its body, in place of the request's own.
  public func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    make(TaskOrder(request: request, body: .data(bodyData), receiver: .dataDelegate), URLSessionUploadTask.init)
  }

  /// A task that sends `request` with a body from the stream that the delegate gives in `needNewBodyStream`, for the first
  /// time and whenever it has to be sent again. It is sent chunked, unless the request states its `Content-Length`.
  public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    make(TaskOrder(request: request, body: .requested, receiver: .dataDelegate), URLSessionUploadTask.init)
  }

  /// A task that sends `request` and gives the download delegate a temporary file with the body.
  public func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
    make(TaskOrder(request: request, receiver: .downloadDelegate), URLSessionDownloadTask.init)
  }

  /// A task that gets `url` and gives the download delegate a temporary file with the body.
  public func downloadTask(with url: URL) -> URLSessionDownloadTask {
    downloadTask(with: URLRequest(url: url))
  }
}
