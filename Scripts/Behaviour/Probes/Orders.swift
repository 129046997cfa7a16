// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI

/// The order in which a delegate's methods are called, by the kind of task and what happens to it.
func addOrders(to probes: Probes) {
  addPlain(to: probes)
  addRedirected(to: probes)
  addFailing(to: probes)
  addHandlers(to: probes)
}

private func addPlain(to probes: Probes) {
  probes.addOrder("data", "data task", wants: "response, data, metrics, end, invalid") { $0.dataTask(with: $1) }
  probes.addOrder("data-empty", "data task, 204", wants: "response, metrics, end, invalid", path: "/status/204") {
    $0.dataTask(with: $1)
  }
  probes.addOrder("download", "download task", wants: "written, file, metrics, end, invalid") {
    $0.downloadTask(with: $1)
  }
  probes.addOrder(
    "download-empty", "download task, an empty body", wants: "file, metrics, end, invalid", path: "/body?size=0"
  ) {
    $0.downloadTask(with: $1)
  }
  probes.addOrder(
    "upload", "upload task from memory", wants: "sent, response, data, metrics, end, invalid", path: "/upload"
  ) {
    $0.uploadTask(with: post($1), from: Data("body".utf8))
  }
  probes.addOrder(
    "upload-stream", "upload task with a stream", wants: "stream, sent, response, data, metrics, end, invalid",
    path: "/upload"
  ) { $0.uploadTask(withStreamedRequest: post($1)) }
}

private func addRedirected(to probes: Probes) {
  probes.addOrder(
    "redirect", "data task, a redirect", wants: "redirect, response, data, metrics, end, invalid",
    path: "/redirect/302?to=/1k"
  ) { $0.dataTask(with: $1) }
  probes.addOrder(
    "redirect-download", "download task, a redirect", wants: "redirect, written, file, metrics, end, invalid",
    path: "/redirect/302?to=/1k"
  ) { $0.downloadTask(with: $1) }
  probes.addOrder(
    "challenge", "data task, 401 with Basic", wants: "challenge, response, data, metrics, end, invalid", path: "/basic"
  ) { $0.dataTask(with: $1) }
  probes.addOrder(
    "challenge-download", "download task, 401 with Basic", wants: "challenge, written, file, metrics, end, invalid",
    path: "/basic"
  ) { $0.downloadTask(with: $1) }
}

private func addFailing(to probes: Probes) {
  probes.addOrder(
    "refused", "data task, no server at the port", wants: "metrics, end -1004, invalid", path: "http://127.0.0.1:9/"
  ) {
    $0.dataTask(with: $1)
  }
  probes.addOrder(
    "refused-download", "download task, no server at the port", wants: "metrics, end -1004, invalid",
    path: "http://127.0.0.1:9/"
  ) { $0.downloadTask(with: $1) }
  probes.addOrder(
    "cancelled", "data task, cancelled before it is resumed", wants: "metrics, end -999, invalid", "end -999, invalid"
  ) {
    let task = $0.dataTask(with: $1)
    task.cancel()
    return task
  }
  probes.addOrder("404", "data task, 404", wants: "response, data, metrics, end, invalid", path: "/status/404") {
    $0.dataTask(with: $1)
  }
}

private func addHandlers(to probes: Probes) {
  probes.addOrder(
    "handler", "data task with a handler", wants: "metrics, handler, invalid", "handler, metrics, invalid"
  ) {
    session, url in
    let notes = (session.delegate as? Listener)?.notes
    return session.dataTask(with: url) { _, _, _ in notes?.add("handler") }
  }
  probes.addOrder(
    "handler-redirect", "data task with a handler, a redirect", wants: "redirect, metrics, handler, invalid",
    path: "/redirect/302?to=/1k"
  ) { session, url in
    let notes = (session.delegate as? Listener)?.notes
    return session.dataTask(with: url) { _, _, _ in notes?.add("handler") }
  }
}

extension Probes {
  fileprivate func addOrder(
    _ id: String, _ member: String, wants: String..., path: String = "/1k",
    make: @escaping (URLSession, URL) -> URLSessionTask
  ) {
    add(
      Probe(
        id: "order.\(id)", feature: "order of delegate methods", member: member, rule: "In this order: \(wants[0]).",
        source: page("urlsessiontaskdelegate") + "; " + page("urlsessiondatadelegate"), wanted: wants
      ) {
        let server = server()
        let notes = Notes()
        let url = path.hasPrefix("http") ? URL(string: path) ?? address(server, "/") : address(server, path)
        let session = URLSession(configuration: .ephemeral, delegate: Listener(notes), delegateQueue: nil)
        make(session, url).resume()
        session.finishTasksAndInvalidate()
        _ = notes.hasEnded.wait(timeout: .now() + patience)
        return notes.words
      })
  }
}

private func post(_ url: URL) -> URLRequest {
  var request = URLRequest(url: url)
  request.httpMethod = "POST"
  return request
}

private final class Listener: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
  let notes: Notes

  init(_ notes: Notes) { self.notes = notes }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    notes.add("invalid")
    notes.hasEnded.signal()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    notes.add("redirect")
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    notes.add("challenge")
    completionHandler(.useCredential, URLCredential(user: "lesson", password: "secret", persistence: .none))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    notes.add("stream")
    completionHandler(InputStream(data: Data("body".utf8)))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) { notes.add("sent") }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    notes.add("metrics")
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    notes.add((error as NSError?).map { "end \($0.code)" } ?? "end")
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    notes.add("response")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { notes.add("data") }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(proposedResponse)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) { notes.add("written") }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) { notes.add("file") }
}
