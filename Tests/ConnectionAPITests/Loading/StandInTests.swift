// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Testing

/// Classes of a program that stand in for those of the API, as tests of others have them (A.2).
@Suite struct StandInTests {
  private final class StandIn: NSURLConnection, @unchecked Sendable {
    // Sendable: the request never changes.
    private let shown: URLRequest

    init(showing request: URLRequest) {
      shown = request
      super.init()
    }

    override var originalRequest: URLRequest { shown }
    override var currentRequest: URLRequest { shown }
  }

  /// A sender of Apple's SDK: it leaves the two optional methods out.
  private final class Sender: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
    // Sendable: the test calls it on one thread.
    var continued = 0

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { continued += 1 }
    func cancel(_ challenge: URLAuthenticationChallenge) {}
  }

  @Test func `a connection without a request loads nothing (A.2)`() {
    let connection = NSURLConnection()
    #expect(connection.originalRequest.url == nil)
    connection.schedule(in: .current, forMode: .default)
    connection.start()
    #expect(connection.currentRequest.url == nil)
    connection.cancel()
  }

  @Test func `a subclass shows a request of its own (A.2)`() throws {
    let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
    #expect(StandIn(showing: request).originalRequest == request)
  }

  @Test func `a sender may leave out what Apple's protocol calls optional (A.2)`() {
    let sender = Sender()
    let challenge = URLAuthenticationChallenge(
      protectionSpace: URLProtectionSpace(host: "h", port: 1, protocol: "http", realm: nil, authenticationMethod: nil),
      proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil, sender: sender)
    challenge.sender?.performDefaultHandling(for: challenge)
    challenge.sender?.rejectProtectionSpaceAndContinue(with: challenge)
    #expect(sender.continued == 2)
  }
}
