// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The routes for data that a client may keep: cookies and responses.
extension Route {
  static let cookies = Route(
    "/cookies", summary: "the Cookie field as received; each set=a%3D1 becomes a Set-Cookie field of the answer"
  ) { request in
    let fields = request.head.query.filter { $0.name == "set" }.map { HeaderField("Set-Cookie", $0.value) }
    var response = Response.text((request.head["Cookie"] ?? "") + "\n")
    response.fields += fields
    return .response(response)
  }

  static let cached = Route(
    "/cached",
    summary:
      "a body that counts its answers: control=max-age%3D60 etag=TAG modified=DATE expires=DATE age=5 vary=NAME; "
      + "304 where a condition holds"
  ) { request in
    let response = CacheableAnswer(request)
    return .response(response.isNotModified(for: request.head) ? response.notModified : response.next())
  }
}

/// The answer that the parameters of `/cached` ask for.
private struct CacheableAnswer {
  private static let answers = Atomic<Int>(0)
  private static let names = [
    "control": "Cache-Control", "modified": "Last-Modified", "expires": "Expires", "age": "Age", "vary": "Vary",
    "date": "Date",
  ]

  private let fields: [HeaderField]
  private let etag: String?
  private let modified: String?

  init(_ request: Request) {
    etag = request[query: "etag"].map { $0.hasSuffix("\"") ? $0 : "\"\($0)\"" }
    modified = request[query: "modified"]
    fields =
      request.head.query.compactMap { item in Self.names[item.name].map { HeaderField($0, item.value) } }
      + (etag.map { [HeaderField("ETag", $0)] } ?? [])
  }

  /// RFC 9110 section 13.2.2: a tag is asked about first.
  func isNotModified(for head: RequestHead) -> Bool {
    if let asked = head["If-None-Match"] { return asked == etag }
    return modified != nil && head["If-Modified-Since"] == modified
  }

  var notModified: Response { Response(304, fields: fields) }

  /// The next body, which no other answer of this process has.
  func next() -> Response {
    let number = Self.answers.add(1, ordering: .relaxed).newValue
    var response = Response.text("answer \(number)\n")
    response.fields += fields
    return response
  }
}
