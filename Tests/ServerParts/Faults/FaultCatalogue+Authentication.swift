// SPDX-License-Identifier: Apache-2.0
import LessonServer

/// AU-03, AU-06 and AU-15: responses that ask for credentials in ways that no client can answer. The response itself is
/// the result then.
extension FaultCatalogue {
  /// The faults of authentication that need no credentials.
  public static let authentication: [FaultCase] = unanswerable + excessive + proxies

  private static func refusal(
    _ id: String, _ variant: String, _ summary: String, _ fields: [HeaderField], status: Int = 401
  ) -> FaultCase {
    let response = Response(status, fields: fields, body: .bytes(hello))
    return FaultCase(
      id, variant, summary,
      [FaultExchange(.script(.response(response)), trueBody: hello, outcomes: [.success(status: status, body: hello)])])
  }

  private static func challenge(_ value: String) -> HeaderField { HeaderField("WWW-Authenticate", value) }

  private static let unanswerable: [FaultCase] = [
    refusal("AU-03", "no-field", "401 without a challenge", []),
    refusal("AU-03", "empty", "401 with an empty challenge", [challenge("")]),
    refusal("AU-03", "commas", "401 with nothing but commas", [challenge(", ,,")]),
    refusal("AU-03", "garbage", "401 with garbage for a challenge", [challenge("=;\"\\ \"\"realm=")]),
    refusal("AU-03", "open-quote", "401 with a quote that never ends", [challenge("Basic realm=\"x")]),
    refusal("AU-03", "unknown", "401 with schemes nobody speaks", [challenge("Bearer error=\"x\", Mutual a=b")]),
    refusal("AU-03", "digest-bare", "401 with a Digest challenge without a nonce", [challenge("Digest realm=\"x\"")]),
    refusal("AU-12", "negotiate", "401 with schemes that bind a connection", [challenge("Negotiate, NTLM")]),
  ]

  private static let excessive: [FaultCase] = [
    refusal(
      "AU-06", "realm", "a realm of 50 KB",
      [challenge("Basic realm=\"" + String(repeating: "r", count: 50_000) + "\"")]),
    refusal(
      "AU-06", "challenges", "1,000 challenges in one field",
      [challenge((0..<1000).map { "Basic realm=\"\($0)\"" }.joined(separator: ", "))]),
    refusal(
      "AU-06", "parameters", "a challenge with 5,000 parameters",
      [challenge("Basic realm=\"x\"" + (0..<5000).map { ", p\($0)=1" }.joined())]),
  ]

  private static let proxies: [FaultCase] = [
    refusal(
      "AU-15", "407", "a direct server that claims to be a proxy",
      [HeaderField("Proxy-Authenticate", "Basic realm=\"proxy\"")], status: 407)
  ]
}
