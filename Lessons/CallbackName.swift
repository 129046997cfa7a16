// SPDX-License-Identifier: Apache-2.0

/// Apple's names of the callbacks that claims ask about.
enum CallbackName {
  static let receive = "connection(_:didReceive:)"
  static let finish = "connectionDidFinishLoading(_:)"
  static let fail = "connection(_:didFailWithError:)"
  static let willSend = "connection(_:willSend:redirectResponse:)"
  static let write = "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)"
  static let file = "urlSession(_:downloadTask:didFinishDownloadingTo:)"
  static let data = "urlSession(_:dataTask:didReceive:)"
  static let complete = "urlSession(_:task:didCompleteWithError:)"
  static let redirect = "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)"
  static let handler = "completionHandler"
}
