// SPDX-License-Identifier: Apache-2.0

/// The methods of both libraries' delegates, as the libraries declare them; a test compares them with the sources.
struct DelegateProtocols {
  /// All of them.
  static let known = DelegateProtocols(declarations)

  /// The methods; the owner of each is the protocol.
  let methods: [MethodDeclaration]
  private let parents: [String: String]

  private init(_ source: String) {
    let scanner = MethodScanner(source)
    methods = scanner.methods
    parents = scanner.inherited.compactMapValues(\.first)
  }

  /// Those of these names that are protocols of delegates, and what they stand on.
  func all(from names: some Sequence<String>) -> Set<String> {
    var all: Set<String> = []
    for name in names {
      var next: String? = name
      while let name = next, let parent = parents[name], all.insert(name).inserted { next = parent }
    }
    return all
  }

  /// True if both names belong to the same library.
  static func belongTogether(_ first: String, _ second: String) -> Bool {
    first.hasPrefix("NS") == second.hasPrefix("NS")
  }

  private static let declarations = """
    protocol URLSessionDelegate: NSObjectProtocol {
      func urlSession(_: URLSession, didBecomeInvalidWithError: Error?)
      func urlSessionDidFinishEvents(forBackgroundURLSession: URLSession)
      func urlSession(_: URLSession, didReceive: URLAuthenticationChallenge, completionHandler: () -> Void)
      func urlSession(_: URLSession, didReceive: URLAuthenticationChallenge) -> (Disposition, URLCredential?)
    }
    protocol URLSessionTaskDelegate: URLSessionDelegate {
      func urlSession(_: URLSession, didCreateTask: URLSessionTask)
      func urlSession(_: URLSession, task: URLSessionTask, willBeginDelayedRequest: URLRequest, completionHandler: () -> Void)
      func urlSession(_: URLSession, task: URLSessionTask, willBeginDelayedRequest: URLRequest) -> (Disposition, URLRequest?)
      func urlSession(
        _: URLSession, task: URLSessionTask, willPerformHTTPRedirection: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: () -> Void)
      func urlSession(
        _: URLSession, task: URLSessionTask, willPerformHTTPRedirection: HTTPURLResponse, newRequest: URLRequest
      ) -> URLRequest?
      func urlSession(_: URLSession, task: URLSessionTask, didReceive: URLAuthenticationChallenge, completionHandler: () -> Void)
      func urlSession(
        _: URLSession, task: URLSessionTask, didReceive: URLAuthenticationChallenge
      ) -> (Disposition, URLCredential?)
      func urlSession(_: URLSession, task: URLSessionTask, needNewBodyStream: () -> Void)
      func urlSession(_: URLSession, needNewBodyStreamForTask: URLSessionTask) -> InputStream?
      func urlSession(_: URLSession, task: URLSessionTask, needNewBodyStreamFrom: Int64, completionHandler: () -> Void)
      func urlSession(_: URLSession, needNewBodyStreamForTask: URLSessionTask, from: Int64) -> InputStream?
      func urlSession(
        _: URLSession, task: URLSessionTask, didSendBodyData: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64)
      func urlSession(_: URLSession, task: URLSessionTask, didReceiveInformationalResponse: HTTPURLResponse)
      func urlSession(_: URLSession, taskIsWaitingForConnectivity: URLSessionTask)
      func urlSession(_: URLSession, task: URLSessionTask, didFinishCollecting: URLSessionTaskMetrics)
      func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError: Error?)
    }
    protocol URLSessionDataDelegate: URLSessionTaskDelegate {
      func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive: URLResponse, completionHandler: () -> Void)
      func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive: URLResponse) -> URLSession.ResponseDisposition
      func urlSession(_: URLSession, dataTask: URLSessionDataTask, didBecome: URLSessionDownloadTask)
      func urlSession(_: URLSession, dataTask: URLSessionDataTask, didBecome: URLSessionStreamTask)
      func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive: Data)
      func urlSession(
        _: URLSession, dataTask: URLSessionDataTask, willCacheResponse: CachedURLResponse, completionHandler: () -> Void)
      func urlSession(
        _: URLSession, dataTask: URLSessionDataTask, willCacheResponse: CachedURLResponse
      ) -> CachedURLResponse?
    }
    protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
      func urlSession(_: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo: URL)
      func urlSession(
        _: URLSession, downloadTask: URLSessionDownloadTask, didWriteData: Int64, totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64)
      func urlSession(
        _: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset: Int64, expectedTotalBytes: Int64)
    }
    protocol URLSessionStreamDelegate: URLSessionTaskDelegate {
      func urlSession(_: URLSession, readClosedFor: URLSessionStreamTask)
      func urlSession(_: URLSession, writeClosedFor: URLSessionStreamTask)
      func urlSession(_: URLSession, betterRouteDiscoveredFor: URLSessionStreamTask)
      func urlSession(
        _: URLSession, streamTask: URLSessionStreamTask, didBecome: InputStream, outputStream: OutputStream)
    }
    protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
      func urlSession(_: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol: String?)
      func urlSession(
        _: URLSession, webSocketTask: URLSessionWebSocketTask, didCloseWith: URLSessionWebSocketTask.CloseCode,
        reason: Data?)
    }
    protocol NSURLConnectionDelegate: NSObjectProtocol {
      func connection(_: NSURLConnection, didFailWithError: Error)
      func connectionShouldUseCredentialStorage(_: NSURLConnection) -> Bool
      func connection(_: NSURLConnection, willSendRequestFor: URLAuthenticationChallenge)
      func connection(_: NSURLConnection, canAuthenticateAgainstProtectionSpace: URLProtectionSpace) -> Bool
      func connection(_: NSURLConnection, didReceive: URLAuthenticationChallenge)
      func connection(_: NSURLConnection, didCancel: URLAuthenticationChallenge)
    }
    protocol NSURLConnectionDataDelegate: NSURLConnectionDelegate {
      func connection(_: NSURLConnection, willSend: URLRequest, redirectResponse: URLResponse?) -> URLRequest?
      func connection(_: NSURLConnection, needNewBodyStream: URLRequest) -> InputStream?
      func connection(
        _: NSURLConnection, didSendBodyData: Int, totalBytesWritten: Int, totalBytesExpectedToWrite: Int)
      func connection(_: NSURLConnection, didReceive: URLResponse)
      func connection(_: NSURLConnection, didReceive: Data)
      func connection(_: NSURLConnection, willCacheResponse: CachedURLResponse) -> CachedURLResponse?
      func connectionDidFinishLoading(_: NSURLConnection)
    }
    protocol NSURLConnectionDownloadDelegate: NSURLConnectionDelegate {
      func connection(_: NSURLConnection, didWriteData: Int64, totalBytesWritten: Int64, expectedTotalBytes: Int64)
      func connectionDidResumeDownloading(_: NSURLConnection, totalBytesWritten: Int64, expectedTotalBytes: Int64)
      func connectionDidFinishDownloading(_: NSURLConnection, destinationURL: URL)
    }
    """
}
