// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI

/// What reaches the server of a request.
func addRequests(to probes: Probes) {
  addDefaults(to: probes)
  addBodies(to: probes)
  addFields(to: probes)
  addMethods(to: probes)
}

private func addDefaults(to probes: Probes) {
  probes.addRequest("accept", "Accept by default", "It is */*.", loading, wants: ["*/*"], read: field("Accept"))
  probes.addRequest(
    "accept-encoding", "Accept-Encoding by default", "It names gzip and deflate, and br on newer systems.", loading,
    wants: ["gzip, deflate", "gzip, deflate, br"], read: field("Accept-Encoding"))
  probes.addRequest(
    "accept-language", "Accept-Language by default", "It follows from the user's languages.", loading, wants: ["there"]
  ) {
    $0["Accept-Language"] == nil ? "none" : "there"
  }
  probes.addRequest("user-agent", "User-Agent by default", "It names the program.", loading, wants: ["there"]) {
    $0["User-Agent"] == nil ? "none" : "there"
  }
  probes.addRequest("method", "httpMethod by default", "It is GET.", page("urlrequest/httpmethod"), wants: ["GET"]) {
    $0.method
  }
  probes.addRequest("version", "the version of HTTP without TLS", "It is HTTP/1.1.", loading, wants: ["HTTP/1.1"]) {
    $0.version
  }
}

private func addBodies(to probes: Probes) {
  probes.addRequest(
    "body-length", "Content-Length of a body in memory", "It is the body's length.", page("urlrequest/httpbody"),
    wants: ["4"], changing: post, read: field("Content-Length"))
  probes.addRequest(
    "body-type", "Content-Type of a POST without one", "It is application/x-www-form-urlencoded.",
    page("urlrequest/httpbody"), wants: ["application/x-www-form-urlencoded"], changing: post,
    read: field("Content-Type"))
  probes.addRequest(
    "body-arrives", "httpBody", "It arrives whole.", page("urlrequest/httpbody"), wants: ["4"], changing: post
  ) { "\($0.bodyBytes)" }
  probes.addRequest(
    "body-stream", "httpBodyStream without a length", "It is sent in chunks.", page("urlrequest/httpbodystream"),
    wants: ["chunked"],
    changing: { request, _ in
      request.httpMethod = "POST"
      request.httpBodyStream = InputStream(data: Data("body".utf8))
    }, read: field("Transfer-Encoding"))
}

private func addFields(to probes: Probes) {
  probes.addRequest(
    "additional", "httpAdditionalHeaders", "They are sent with each request.",
    page("urlsessionconfiguration/httpadditionalheaders"), wants: ["lesson"],
    changing: { $1.httpAdditionalHeaders = ["X-Lesson": "lesson"] }, read: field("X-Lesson"))
  probes.addRequest(
    "additional-loses", "httpAdditionalHeaders beside the request's own", "The request's own field wins.",
    page("urlsessionconfiguration/httpadditionalheaders"), wants: ["request"],
    changing: { request, configuration in
      configuration.httpAdditionalHeaders = ["X-Lesson": "configuration"]
      request.setValue("request", forHTTPHeaderField: "X-Lesson")
    }, read: field("X-Lesson"))
  probes.addRequest(
    "additional-case", "httpAdditionalHeaders in other letters",
    "Names of fields know no case: the request's own wins.",
    "RFC 9110, 5.1", wants: ["request"],
    changing: { request, configuration in
      configuration.httpAdditionalHeaders = ["x-lesson": "configuration"]
      request.setValue("request", forHTTPHeaderField: "X-Lesson")
    },
    read: { record in
      record.fields.filter { $0.name.lowercased() == "x-lesson" }.map(\.value).joined(separator: ", ")
    })
  probes.addRequest(
    "field-empty", "a field with an empty value", "It is sent.", page("urlrequest/setvalue(_:forhttpheaderfield:)"),
    wants: ["there"], changing: { request, _ in request.setValue("", forHTTPHeaderField: "X-Empty") },
    read: { $0["X-Empty"] == nil ? "none" : "there" })
}

private func addMethods(to probes: Probes) {
  probes.addRequest(
    "fragment", "the fragment of the URL", "It is not sent.", "RFC 9110, 7.1", wants: ["/echo"],
    changing: { request, _ in request.url = URL(string: "#part", relativeTo: request.url)?.absoluteURL },
    read: { $0.target })
  for method in ["PUT", "PATCH", "DELETE", "OPTIONS", "LOCK"] {
    probes.addRequest(
      "method-\(method)", "httpMethod \(method)", "It is sent as it is.", page("urlrequest/httpmethod"),
      wants: [method],
      changing: { request, _ in request.httpMethod = method },
      read: { $0.method })
  }
}

extension Probes {
  fileprivate func addRequest(
    _ id: String, _ member: String, _ rule: String, _ source: String, wants: [String],
    changing change: @escaping (inout URLRequest, URLSessionConfiguration) -> Void = { _, _ in },
    read: @escaping (RequestRecord) -> String
  ) {
    add(
      Probe(id: "request.\(id)", feature: "requests", member: member, rule: rule, source: source, wanted: wants) {
        let server = server()
        let configuration = URLSessionConfiguration.ephemeral
        var request = URLRequest(url: address(server, "/echo"))
        change(&request, configuration)
        _ = load(request, configuration)
        return server.log.settled(within: .seconds(20)).requests(for: "/echo").last.map(read) ?? "no request"
      })
  }
}

private func field(_ name: String) -> (RequestRecord) -> String { { $0[name] ?? "none" } }

private let loading = page("url_loading_system")

private func post(_ request: inout URLRequest, _ configuration: URLSessionConfiguration) {
  request.httpMethod = "POST"
  request.httpBody = Data("body".utf8)
}
