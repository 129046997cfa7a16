// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// A server whose certificate no authority vouches for. The program remembers
/// the certificate of the first visit and accepts that one alone.
enum PinnedConnection {
  static func run(_ app: ExampleContext) {
    let known = Known()
    for visit in 1...2 {
      print("visit \(visit)")
      let load = Load(app, known)
      _ = NSURLConnection(request: URLRequest(url: app.url), delegate: load)
      while !load.isOver {
        _ = RunLoop.main.run(mode: .default, before: .distantFuture)
      }
    }
  }

  private final class Known { var certificate: Data? }

  private final class Load: NSObject, NSURLConnectionDataDelegate {
    private let known: Known
    private(set) var isOver = false
    init(_ app: ExampleContext, _ known: Known) { self.known = known }

    func connection(
      _ connection: NSURLConnection,
      willSendRequestFor challenge: URLAuthenticationChallenge
    ) {
      let trust = challenge.protectionSpace.serverTrust
      let chain = trust.flatMap { SecTrustCopyCertificateChain($0) }
      guard let trust, let leaf = chain?.first as? SecCertificate else {
        challenge.sender?.performDefaultHandling(for: challenge)
        return
      }
      let shown = SecCertificateCopyData(leaf) as Data
      print(
        known.certificate.map { $0 == shown ? "known" : "another" } ?? "new"
      )
      known.certificate = known.certificate ?? shown
      if known.certificate == shown {
        challenge.sender?.use(URLCredential(trust: trust), for: challenge)
      } else {
        challenge.sender?.cancel(challenge)
      }
    }
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      isOver = true
    }
    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) {
      isOver = true
    }
  }
}
