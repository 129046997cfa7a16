// SPDX-License-Identifier: Apache-2.0
import FoundationNetworking
import Testing

@testable import URLLoading

@Suite struct ChallengeMethodTests {
  @Test func `each method is found by its name, and others are not`() {
    for method in ChallengeMethod.allCases { #expect(ChallengeMethod(name: method.name) == method) }
    #expect(ChallengeMethod(name: NSURLAuthenticationMethodHTMLForm) == nil && ChallengeMethod(name: "") == nil)
  }

  @Test func `connections and TLS concern the session, names and passwords the task`() {
    #expect(ChallengeMethod.allCases.filter { !$0.concernsSession } == [.basic, .digest])
    #expect(ChallengeMethod.allCases.filter(\.isTLS) == [.clientCertificate, .serverTrust])
  }
}
