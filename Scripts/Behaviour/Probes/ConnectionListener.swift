// SPDX-License-Identifier: Apache-2.0
#if !TOOLCHAIN
  import ConnectionAPI
  import Foundation
  import Locking

  /// What delegates of connections share: each call is noted. What they answer is set before the start.
  ///
  /// It has no protocol itself: a subclass's method is called for a protocol only where the subclass adopts it.
  class ConnectionCalls: NSObject {
    let notes = Notes()
    var isOver = false
    /// The request that is sent in place of the one that is shown.
    var answer: (URLRequest, URLResponse?) -> URLRequest? = { request, _ in request }
    /// Does more when a method with this name is called.
    var whenCalled: (String, NSURLConnection) -> Void = { _, _ in }
    var bytes = 0
    var status = 0
    var sent = ""
    /// Told when the delegate is released.
    var released: DispatchSemaphore?

    deinit { released?.signal() }

    func note(_ name: String, _ connection: NSURLConnection) {
      notes.add(name)
      whenCalled(name, connection)
    }

    func end(_ name: String, _ connection: NSURLConnection) {
      note(name, connection)
      isOver = true
      notes.hasEnded.signal()
    }

    func connection(
      _ connection: NSURLConnection, willSend request: URLRequest, redirectResponse response: URLResponse?
    ) -> URLRequest? {
      note(response == nil ? "send" : "redirect", connection)
      return answer(request, response)
    }

    func connection(_ connection: NSURLConnection, needNewBodyStream request: URLRequest) -> InputStream? {
      note("stream", connection)
      return InputStream(data: Data("body".utf8))
    }

    func connection(
      _ connection: NSURLConnection, didSendBodyData bytesWritten: Int, totalBytesWritten: Int,
      totalBytesExpectedToWrite: Int
    ) {
      sent = "\(totalBytesWritten) of \(totalBytesExpectedToWrite)"
      note("sent", connection)
    }

    func connection(_ connection: NSURLConnection, didReceive response: URLResponse) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      note("response", connection)
    }

    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      bytes += data.count
      note("data", connection)
    }

    func connectionDidFinishLoading(_ connection: NSURLConnection) { end("finish", connection) }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      end("fail \((error as NSError).code)", connection)
    }
  }

  /// A delegate with the methods of every load.
  final class ConnectionListener: ConnectionCalls, NSURLConnectionDataDelegate {}

  /// One that is asked about what enters the cache.
  final class CachingListener: ConnectionCalls, NSURLConnectionDataDelegate {
    var keeps = true

    func connection(
      _ connection: NSURLConnection, willCacheResponse cachedResponse: CachedURLResponse
    ) -> CachedURLResponse? {
      note("cache", connection)
      return keeps ? cachedResponse : nil
    }
  }

  private let credential = URLCredential(user: "lesson", password: "secret", persistence: .none)

  /// One with the one method for challenges, and with the older ones, which are not called then.
  final class ModernListener: OlderCalls, NSURLConnectionDataDelegate {
    func connection(_ connection: NSURLConnection, willSendRequestFor challenge: URLAuthenticationChallenge) {
      note("challenge", connection)
      challenge.sender?.use(credential, for: challenge)
    }
  }

  /// One with the older methods for challenges alone.
  final class OlderListener: OlderCalls, NSURLConnectionDataDelegate {}

  /// The older methods for challenges.
  class OlderCalls: ConnectionCalls {
    func connectionShouldUseCredentialStorage(_ connection: NSURLConnection) -> Bool {
      note("storage", connection)
      return true
    }

    func connection(
      _ connection: NSURLConnection, canAuthenticateAgainstProtectionSpace protectionSpace: URLProtectionSpace
    ) -> Bool {
      note("can", connection)
      return true
    }

    func connection(_ connection: NSURLConnection, didReceive challenge: URLAuthenticationChallenge) {
      note("older challenge", connection)
      challenge.sender?.use(credential, for: challenge)
    }
  }

  /// A delegate of downloads, which the delegate of data is none of.
  final class DownloadListener: NSObject, NSURLConnectionDownloadDelegate {
    let notes = Notes()
    var isOver = false
    var written = ""
    var file = "none"

    func connection(
      _ connection: NSURLConnection, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
      expectedTotalBytes: Int64
    ) {
      notes.add("written")
      written = "\(totalBytesWritten) of \(expectedTotalBytes)"
    }

    func connectionDidFinishDownloading(_ connection: NSURLConnection, destinationURL: URL) {
      notes.add("file")
      file = (try? Data(contentsOf: destinationURL)).map { "\($0.count) bytes" } ?? "none"
      isOver = true
    }

    func connection(_ connection: NSURLConnection, didFailWithError error: any Error) {
      notes.add("fail \((error as NSError).code)")
      isOver = true
    }
  }
#endif
