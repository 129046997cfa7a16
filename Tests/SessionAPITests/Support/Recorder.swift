// SPDX-License-Identifier: Apache-2.0
import Foundation
import SessionAPI

/// An event that a delegate was told.
enum Event: Equatable, Sendable {
  case created
  case redirect(Int)
  case stream
  case sent(piece: Int64, total: Int64, expected: Int64)
  case response(Int)
  case data(Int)
  case written(piece: Int64, total: Int64, expected: Int64)
  case download
  case resumed(offset: Int64, expected: Int64)
  case file(Int)
  case cached(Int)
  case complete(Int?)
  case invalid
}

/// The reactions of a delegate to its calls; each test replaces what it is about.
struct Reactions: Sendable {
  var created: @Sendable (URLSessionTask) -> Void = { _ in }
  var redirect: @Sendable (URLRequest, @escaping @Sendable (URLRequest?) -> Void) -> Void = { $1($0) }
  var bodyStream: @Sendable () -> InputStream? = { nil }
  var response: @Sendable (URLSessionDataTask, @escaping @Sendable (URLSession.ResponseDisposition) -> Void) -> Void =
    { $1(.allow) }
  var data: @Sendable (URLSessionDataTask, Data) -> Void = { _, _ in }
  var written: @Sendable (URLSessionDownloadTask) -> Void = { _ in }
  var becameDownload: @Sendable (URLSessionDownloadTask) -> Void = { _ in }
  var file: @Sendable (URLSessionDownloadTask, URL) -> Void = { _, _ in }
  var cache: @Sendable (CachedURLResponse, @escaping @Sendable (CachedURLResponse?) -> Void) -> Void = { $1($0) }
  var complete: @Sendable (URLSessionTask, (any Error)?) -> Void = { _, _ in }
}

/// A delegate that has every method, notes each call and then reacts.
final class Recorder: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  let log = EventLog<Event>()
  let reactions: Reactions

  init(_ reactions: Reactions = Reactions()) {
    self.reactions = reactions
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    log.append(.invalid)
  }

  func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
    log.append(.created)
    reactions.created(task)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    log.append(.redirect(response.statusCode))
    reactions.redirect(request, completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    log.append(.stream)
    completionHandler(reactions.bodyStream())
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    log.append(.sent(piece: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    reactions.complete(task, error)
    log.append(.complete((error as? URLError)?.errorCode))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    log.append(.response((response as? HTTPURLResponse)?.statusCode ?? 0))
    reactions.response(dataTask, completionHandler)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask) {
    log.append(.download)
    reactions.becameDownload(downloadTask)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    reactions.data(dataTask, data)
    log.append(.data(data.count))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    log.append(.cached(proposedResponse.data.count))
    reactions.cache(proposedResponse, completionHandler)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    log.append(.written(piece: bytesWritten, total: totalBytesWritten, expected: totalBytesExpectedToWrite))
    reactions.written(downloadTask)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
    expectedTotalBytes: Int64
  ) {
    log.append(.resumed(offset: fileOffset, expected: expectedTotalBytes))
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    reactions.file(downloadTask, location)
    log.append(.file((try? Data(contentsOf: location).count) ?? -1))
  }
}

extension [Event] {
  var ends: Int { count { if case .complete = $0 { true } else { false } } }
  var isInvalid: Bool { last == .invalid }
  var dataBytes: Int { reduce(0) { if case .data(let count) = $1 { $0 + count } else { $0 } } }

  /// The events with neighbouring pieces of the same kind told once, so that an order can be compared.
  var order: [String] {
    map(\.kind).reduce(into: []) { kinds, kind in if kinds.last != kind { kinds.append(kind) } }
  }
}

extension Event {
  var kind: String {
    switch self {
    case .created: "created"
    case .redirect: "redirect"
    case .stream: "stream"
    case .sent: "sent"
    case .response: "response"
    case .data: "data"
    case .written: "written"
    case .download: "download"
    case .resumed: "resumed"
    case .file: "file"
    case .cached: "cached"
    case .complete: "complete"
    case .invalid: "invalid"
    }
  }
}
