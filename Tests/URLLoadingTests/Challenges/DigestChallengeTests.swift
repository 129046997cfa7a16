// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Testing
import Transport

@testable import HTTPRules
@testable import URLLoading

/// Digest (RFC 7616; AU-05).
@Suite struct DigestChallengeTests {
  private static func digest(_ text: String) -> DigestChallenge? {
    HTTPChallenge.all(in: [text]).first.flatMap { DigestChallenge($0) }
  }

  private static func answer(
    _ challenge: String, _ user: String, _ password: String, _ clientNonce: String, _ target: String = "/dir/index.html"
  ) -> String? {
    digest(challenge)?.authorization(
      user: user, password: password, .init(method: "GET", target: target, count: 1, clientNonce: clientNonce))
  }

  @Test(arguments: [
    ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
    ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
  ]) func `the examples of RFC 7616 section 3.9.1`(algorithm: String, response: String) throws {
    let answer = try #require(
      Self.answer(
        """
        Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\(algorithm), \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """, "Mufasa", "Circle of Life", "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"))
    #expect(answer.contains("response=\"\(response)\""))
    #expect(answer.contains("algorithm=\(algorithm), qop=auth, nc=00000001, cnonce=\"f2/"))
    #expect(answer.contains(#"username="Mufasa", realm="http-auth@example.org""#))
    #expect(answer.contains(#"uri="/dir/index.html""#) && answer.contains(#"opaque="FQhe/"#))
  }

  @Test func `the example of RFC 2617 section 3_5, with its default algorithm`() throws {
    let answer = try #require(
      Self.answer(
        #"Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#,
        "Mufasa", "Circle Of Life", "0a4f113b"))
    #expect(answer.contains(#"response="6629fae49393a05397450978507c4ef1""#))
    #expect(!answer.contains("algorithm"))
  }

  @Test(arguments: [
    "Digest realm=x", "Digest nonce=x", "Digest realm=x, nonce=y, algorithm=SHA-1",
    "Digest realm=x, nonce=y, algorithm=MD5-sess", "Digest realm=\"\u{e9}\", nonce=y, qop=auth", "Digest abc==",
  ]) func `what cannot be answered is no offer`(text: String) {
    #expect(Self.digest(text) == nil)
  }

  @Test func `section 3_4_3: auth-int alone protects the body, too`() throws {
    let digest = try #require(Self.digest(#"Digest realm="r", nonce="n", qop="auth-int", algorithm=SHA-256"#))
    func hash(_ text: String) throws -> String { try #require(MessageDigest.sha256.hex(text.utf8)) }
    for body in ["", "a=1"] {
      let request = DigestChallenge.Request(
        method: "POST", target: "/x", count: 2, clientNonce: "c", body: Data(body.utf8))
      let answer = try #require(digest.authorization(user: "u", password: "p", request))
      let message = try hash("POST:/x:\(hash(body))")
      let response = try hash("\(hash("u:r:p")):n:00000002:c:auth-int:\(message)")
      #expect(answer.contains("response=\"\(response)\"") && answer.contains("qop=auth-int,"))
    }
    let unknown = DigestChallenge.Request(method: "POST", target: "/x", count: 1, clientNonce: "c", body: nil)
    #expect(digest.authorization(user: "u", password: "p", unknown) == nil)
  }

  @Test func `quotes in names and realms are escaped, names outside ASCII encoded`() throws {
    let challenge = #"Digest realm="a\"b\\c", nonce="n", qop=auth"#
    let answer = try #require(Self.answer(challenge, #"x"y"#, "p", "c"))
    #expect(answer.contains(#"username="x\"y", realm="a\"b\\c""#))
    #expect(try #require(Self.answer(challenge, "Jäsøn", "p", "c")).contains("username*=UTF-8''J%C3%A4s%C3%B8n,"))
  }

  @Test func `the strongest way comes first, one for each space`() throws {
    let origin = try #require(Origin(URL(string: "http://a.test/")))
    let offers = ChallengeOffer.offers(
      in: HTTPChallenge.all(in: [
        "Basic realm=x, Digest realm=x, nonce=1, qop=auth", "Digest realm=x, nonce=2, algorithm=SHA-256, qop=auth",
        "Negotiate, Digest realm=y, nonce=3, algorithm=MD5",
      ]), from: origin)
    let seen = offers.map { "\($0.space.method.suffix(6)) \($0.space.realm ?? "")" }
    #expect(seen == ["otiate ", "Digest x", "Digest y", "PBasic x"])
    guard case .digest(let first) = offers[1].scheme else { return #expect(Bool(false)) }
    #expect(first.nonce == "2")
  }

  @Test func `a nonce's uses are counted, by origin, with one text of the client's`() throws {
    var counter = NonceCounter()
    let one = try #require(Origin(URL(string: "http://a.test/")))
    let other = try #require(Origin(URL(string: "http://b.test/")))
    let (first, second) = (counter.next("n", of: one), counter.next("n", of: one))
    #expect(first.count == 1 && second.count == 2 && first.clientNonce == second.clientNonce)
    let foreign = counter.next("n", of: other)
    #expect(foreign.count == 1 && foreign.clientNonce != first.clientNonce)
    for index in 0..<NonceCounter.limit { _ = counter.next("m\(index)", of: one) }
    let again = counter.next("n", of: one)
    #expect(again.count == 1)
  }

  @Test func `a stale nonce is renewed without a question, five times in a row`() throws {
    let origin = try #require(Origin(URL(string: "http://a.test/")))
    func offers(_ nonce: Int) -> [ChallengeOffer] {
      ChallengeOffer.offers(
        in: HTTPChallenge.all(in: ["Digest realm=x, nonce=\(nonce), qop=auth, stale=true"]), from: origin)
    }
    var machine = LoginMachine()
    let anna = URLCredential(user: "anna", password: "1", persistence: .none)
    _ = machine.refused(offers(0))
    _ = machine.credentialDecided(.use(anna), proposal: nil)
    for nonce in 1...LoginMachine.renewalLimit {
      let order = machine.refused(offers(nonce))
      #expect(order == .send)
      #expect(machine.ticket?.offer == offers(nonce)[0])
    }
    let last = machine.refused(offers(9))
    #expect(last == .ask(.init(offer: offers(9)[0], failures: 1, rejected: anna)))
  }

  @Test(arguments: [
    ("http://a.test", "/"), ("http://a.test?q=1", "/?q=1"), ("http://a.test/x/y?q", "/x/y?q"),
    ("http://a.test/a/./b/../c?x", "/a/./b/../c?x"),
  ]) func `the target is what is sent`(url: String, target: String) {
    #expect(TransferRequest(url: url).target == target)
  }
}
