// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The certificate that a program remembers.
final class Pin { var certificate: Data? }

/// A download that compares the server's certificate with the remembered one.
final class PinnedLoad: NSObject, NSURLConnectionDataDelegate {
  private let pin: Pin
  private var received = 0
  private(set) var isOver = false

  init(_ pin: Pin) { self.pin = pin }

  // begin pinned
  func connection(
    _ connection: NSURLConnection,
    willSendRequestFor challenge: URLAuthenticationChallenge
  ) {
    guard let trust = challenge.protectionSpace.serverTrust,
      let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
      let leaf = chain.first
    else {
      challenge.sender?.performDefaultHandling(for: challenge)
      return
    }
    let shown = SecCertificateCopyData(leaf) as Data
    if pin.certificate == nil { pin.certificate = shown }
    if pin.certificate == shown {  // ←
      challenge.sender?.use(URLCredential(trust: trust), for: challenge)
    } else {
      challenge.sender?.cancel(challenge)
    }
  }
  // end pinned

  func connection(_ connection: NSURLConnection, didReceive data: Data) {
    received += data.count
  }

  func connectionDidFinishLoading(_ connection: NSURLConnection) {
    print("received \(received) bytes")
    isOver = true
  }

  func connection(
    _ connection: NSURLConnection, didFailWithError error: any Error
  ) {
    print("failed: \((error as NSError).code)")
    isOver = true
  }
}
