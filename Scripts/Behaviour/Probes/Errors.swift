// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI

/// The code of the error by what is wrong with a request, and what the error carries.
func addErrors(to probes: Probes) {
  addCodes(to: probes)
  addContents(to: probes)
  addStatuses(to: probes)
}

private func addCodes(to probes: Probes) {
  func add(_ id: String, _ member: String, code: Int, _ name: String, _ make: @escaping () -> URLRequest) {
    probes.add(
      Probe(
        id: "error.\(id)", feature: "errors", member: member, rule: "The load fails with \(name), \(code).",
        source: page("urlerror/\(name)"), wanted: ["\(code)"]
      ) { load(make()).words })
  }
  add("refused", "no server at the port", code: -1004, "cannotConnectToHost") { request("http://127.0.0.1:9/") }
  add("scheme", "a scheme of no protocol", code: -1002, "unsupportedURL") { request("unknown://127.0.0.1/") }
  add("no-file", "a file that is missing", code: -1100, "fileDoesNotExist") { request("file:///no/such/file") }
  add("folder", "a file that is a folder", code: -1101, "fileIsDirectory") { request("file:///usr") }
  add("loop", "a redirect to itself", code: -1007, "httpTooManyRedirects") {
    URLRequest(url: address(server(), "/loop"))
  }
  add("silence", "a server that never answers", code: -1001, "timedOut") {
    var request = URLRequest(url: address(server(), "/never"))
    request.timeoutInterval = 1
    return request
  }
  for (leaf, name, code) in [
    (TLSSettings.Leaf.selfSigned, "serverCertificateUntrusted", -1202),
    (.trusted, "serverCertificateHasUnknownRoot", -1203),
  ] {
    add(
      "certificate-\(leaf.rawValue)",
      leaf == .selfSigned ? "a certificate signed by itself" : "a certificate of an unknown authority", code: code, name
    ) {
      guard let authority = try? CertificateAuthority() else { return request("unknown:") }
      let server = running(LessonServer(tls: TLSSettings(leaf: leaf, authority: authority)))
      return URLRequest(url: address(server, "/ok"))
    }
  }
}

/// What the error carries.
private func addContents(to probes: Probes) {
  func carries(_ id: String, _ member: String, _ rule: String, wants: String, _ read: @escaping (any Error) -> String) {
    probes.add(
      Probe(
        id: "error-carries.\(id)", feature: "errors", member: member, rule: rule, source: page("urlerror"),
        wanted: [wants]
      ) {
        let end = load(request("http://127.0.0.1:9/path"))
        return end.error.map(read) ?? "no error"
      })
  }
  carries("url", "the failing URL", "It stands under NSURLErrorFailingURLErrorKey.", wants: "http://127.0.0.1:9/path") {
    (($0 as NSError).userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.absoluteString ?? "none"
  }
  carries("domain", "the domain", "It is NSURLErrorDomain.", wants: "NSURLErrorDomain") { ($0 as NSError).domain }
  carries("type", "its type in Swift", "It is a URLError.", wants: "true") { "\($0 is URLError)" }
  carries("underlying", "the cause", "It stands under NSUnderlyingErrorKey.", wants: "there") {
    ($0 as NSError).userInfo[NSUnderlyingErrorKey] == nil ? "none" : "there"
  }
}

/// A status is no error.
private func addStatuses(to probes: Probes) {
  for status in [400, 401, 403, 404, 410, 418, 429, 500, 502, 503] {
    probes.add(
      Probe(
        id: "status.\(status)", feature: "errors", member: "status \(status)",
        rule: "A status is a response and no error.",
        source: page("urlsession/datatask(with:completionhandler:)"), wanted: ["\(status)"]
      ) { load(URLRequest(url: address(server(), "/status/\(status)"))).words })
  }
}

private func request(_ text: String) -> URLRequest { URLRequest(url: URL(string: text) ?? URL(fileURLWithPath: "/")) }
