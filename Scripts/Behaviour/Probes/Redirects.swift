// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI

/// The method and the body that arrive behind a redirect, by its status and the first method.
func addRedirects(to probes: Probes) {
  for status in [301, 302, 303, 307, 308] {
    for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] {
      let redirect = Redirect(status: status, method: method)
      addMethod(behind: redirect, to: probes)
      if redirect.hasBody { addBody(behind: redirect, to: probes) }
    }
  }
  addOtherRedirects(to: probes)
}

private func addMethod(behind redirect: Redirect, to probes: Probes) {
  let (status, method) = (redirect.status, redirect.method)
  probes.add(
    Probe(
      id: "redirect.\(status)-\(method)", feature: "redirects", member: "\(status) after \(method): the next method",
      rule: redirect.rule,
      source: (status, method) == (303, "HEAD") ? silence : "RFC 9110, 15.4; " + page("urlsessiontaskdelegate"),
      wanted: [redirect.next]
    ) { redirect.followed()?.method ?? "none" })
}

private func addBody(behind redirect: Redirect, to probes: Probes) {
  let (status, method) = (redirect.status, redirect.method)
  probes.add(
    Probe(
      id: "redirect-body.\(status)-\(method)", feature: "redirects",
      member: "\(status) after \(method): bytes of the next body", rule: redirect.bodyRule,
      source: "RFC 9110, 15.4", wanted: [redirect.next == method ? "4" : "0"]
    ) { (redirect.followed()?.bodyBytes).map { "\($0)" } ?? "none" })
}

/// The redirects that are no choice of the next method.
private func addOtherRedirects(to probes: Probes) {
  let kept = "It is not followed: the response is the result."
  let followed = "It is followed as 302 is, without a proxy."
  for (status, rule, source, wanted) in [
    (300, kept, "RFC 9110, 15.4", "300"), (304, kept, "RFC 9110, 15.4", "304"),
    (305, followed, silence, "200"), (306, followed, silence, "200"),
  ] {
    probes.add(
      Probe(
        id: "redirect.\(status)", feature: "redirects", member: "\(status) with a Location", rule: rule,
        source: source, wanted: [wanted]
      ) {
        let server = server()
        return load(URLRequest(url: address(server, "/redirect/\(status)?to=/echo"))).words
      })
  }
}

/// The source of a rule that neither an RFC nor Apple's text settles.
private let silence = "Apple's text is silent; the suite that the toolchain's URLSession has to pass says so"

private struct Redirect {
  var status: Int
  var method: String
  var hasBody: Bool { ["POST", "PUT", "PATCH"].contains(method) }

  /// Loads through the redirect: the request behind it, as it arrived.
  func followed() -> RequestRecord? {
    let server = server()
    var request = URLRequest(url: address(server, "/redirect/\(status)?to=/echo"))
    request.httpMethod = method
    if hasBody { request.httpBody = Data("body".utf8) }
    _ = load(request)
    return server.log.settled(within: .seconds(20)).requests(for: "/echo").last
  }

  /// The method that Apple's loader sends next.
  var next: String {
    switch (status, method) {
    case (301, "POST"), (302, "POST"): "GET"
    case (303, _): "GET"
    default: method
    }
  }

  var rule: String { next == method ? "The method stays \(method)." : "\(method) becomes GET." }
  var bodyRule: String {
    next == method ? "The body is sent again with the method that stays." : "The body goes with the method."
  }
}
