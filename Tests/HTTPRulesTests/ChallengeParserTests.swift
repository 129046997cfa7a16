// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import HTTPRules

/// The grammar of WWW-Authenticate (AU-03, AU-05, AU-06; FZ-3).
@Suite struct ChallengeParserTests {
  private static func parameters(_ pairs: [String: String]) -> [String: [UInt8]] { pairs.mapValues { Array($0.utf8) } }

  @Test func `one challenge with its parameters`() {
    let challenges = HTTPChallenge.all(in: [#"Basic realm="a, b=c", charset="UTF-8""#])
    #expect(
      challenges == [
        HTTPChallenge(scheme: .basic, parameters: Self.parameters(["realm": "a, b=c", "charset": "UTF-8"]))
      ])
  }

  @Test func `several challenges in one field and in several`() {
    let field = #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#
    let schemes = HTTPChallenge.all(in: [field, "Negotiate", #"Digest realm="d", nonce=n"#]).map(\.scheme)
    #expect(schemes == [.other("newauth"), .basic, .negotiate, .digest])
    #expect(HTTPChallenge.all(in: [field])[0]["title"] == #"Login to "apps""#)
  }

  @Test func `token68 stands in place of parameters`() {
    let challenges = HTTPChallenge.all(in: ["Negotiate TlRM+/==, Basic realm=x , NTLM"])
    #expect(challenges.map(\.token68) == ["TlRM+/==", nil, nil])
    #expect(challenges.map(\.scheme) == [.negotiate, .basic, .ntlm])
    #expect(challenges[1]["realm"] == "x")
  }

  @Test(arguments: [
    "", ",", " , ,", "=", "\"", "Basic realm", "Basic realm=", "Basic realm=\"", "Basic realm=\"\\", "Basic realm=x y",
    "Basic realm=\"x\"y", "Basic, =x", "Basic\u{1}realm=x", "Basic  realm = \"x\" , , foo = bar", "\u{e9}",
    "Basic x=1, x=2",
  ]) func `what is malformed ends the field and nothing else`(field: String) {
    let challenges = HTTPChallenge.all(in: [field, "Digest nonce=1"])
    #expect(challenges.last?.scheme == .digest)
    for end in field.indices { _ = HTTPChallenge.all(in: [String(field[..<end])]) }
  }

  @Test func `a parameter that stands twice makes its challenge useless, but not the others`() {
    let schemes = HTTPChallenge.all(in: ["Basic realm=a, Realm=b, Digest nonce=1"]).map(\.scheme)
    #expect(schemes == [.digest])
  }

  @Test func `bytes that are no UTF-8 are shown as ISO 8859-1 and never sent back`() {
    let challenge = HTTPChallenge.all(in: ["Basic realm=\"caf\u{e9}\", nonce=\"\u{c3}\u{a9}\""])[0]
    #expect(challenge["realm"] == "café")
    #expect(challenge.exact("realm") == nil)
    #expect(challenge.exact("nonce") == "é")
  }

  @Test func `much input is looked at once and little of it is kept (AU-06)`() {
    let many = (0..<20_000).map { "Basic realm=\"\($0)\"" }.joined(separator: ", ")
    #expect(HTTPChallenge.all(in: [many, many]).count == ChallengeParser.challengeLimit)
    let wide = "Basic realm=\"x\"" + (0..<50_000).map { ", p\($0)=1" }.joined()
    #expect(HTTPChallenge.all(in: [wide]).isEmpty)
    #expect(HTTPChallenge.all(in: [String(repeating: "Basic \"", count: 100_000)]).isEmpty)
  }

  @Test func `no bytes make it trap`() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("Basic Digest realm=\"\\, \t\u{0}\u{ff}=n".unicodeScalars)
    for _ in 0..<20_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        text.append(alphabet.randomElement(using: &generator) ?? "x")
      }
      for challenge in HTTPChallenge.all(in: [String(text)]) {
        #expect(challenge.scheme != .other(""))
        #expect(challenge.token68 == nil || challenge.parameters.isEmpty)
      }
    }
  }
}
