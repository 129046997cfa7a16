// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import SessionAPI

/// Loads with a marked secret wherever a credential can be: each contains the word SECRET.
enum Secrets {
  static func load(_ server: URL) {
    let port = server.port ?? 0
    let base = "http://SECRET-user:SECRET-password@127.0.0.1:\(port)"
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["Cookie": "sid=SECRET-cookie", "Proxy-Authorization": "SECRET-proxy"]
    let session = URLSession(configuration: configuration, delegate: Answer(), delegateQueue: nil)
    for address in [
      "\(base)/a?key=SECRET-query", "\(base)/redirect", "\(base)/login", "http://SECRET-x@127.0.0.1:9/?q=SECRET-q",
    ] {
      guard let url = URL(string: address) else { continue }
      var request = URLRequest(url: url)
      if !address.contains("login") { request.setValue("Bearer SECRET-token", forHTTPHeaderField: "Authorization") }
      _ = try? NSURLConnection.sendSynchronousRequest(request, returning: nil)
      wait(for: request, in: session)
    }
    if let url = URL(string: "\(base)/?never=SECRET-never") { _ = session.dataTask(with: url) }
    session.finishTasksAndInvalidate()
    let proxied = URLSessionConfiguration.ephemeral
    proxied.connectionProxyDictionary = [
      "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": port, "kCFProxyUsernameKey": "SECRET-proxyuser",
      "kCFProxyPasswordKey": "SECRET-proxypassword",
    ]
    guard let url = URL(string: "http://host.invalid/?p=SECRET-p") else { return }
    wait(for: URLRequest(url: url), in: URLSession(configuration: proxied))
  }

  private static func wait(for request: URLRequest, in session: URLSession) {
    let ended = DispatchSemaphore(value: 0)
    session.dataTask(with: request) { _, _, _ in ended.signal() }.resume()
    ended.wait()
  }

  private final class Answer: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      completionHandler(
        .useCredential, URLCredential(user: "SECRET-login", password: "SECRET-pass", persistence: .none))
    }
  }
}
