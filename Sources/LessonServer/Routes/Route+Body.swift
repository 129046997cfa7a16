// SPDX-License-Identifier: Apache-2.0

extension Route {
  static let body = Route(
    "/body",
    summary: "a generated body: size=64MiB seed=1 length=known|none|chunked delay=0.5 rate=10MiB ranges=on|off|none "
      + "disposition=NAME type=TYPE etag=TAG modified=DATE cut=1KiB by=fin|rst cookie=NAME=VALUE changes=on rest=404 "
      + "number=3 control=no-store hold=2MiB,4MiB"
  ) { request in
    answer {
      let body = try GeneratedBody(request)
      var steps: [Step] = []
      if let delay = try request.seconds("delay") { steps.append(.delay(delay)) }
      if let rate = try request.size("rate") { steps.append(.pace(.bytesPerSecond(Int(clamping: rate)))) }
      if let count = try request.size("cut") { steps.append(.cut(after: count, by: try request.ending())) }
      return Script(steps + body.steps(to: request.head))
    }
  }
}

/// The body that the parameters of `/body` ask for.
private struct GeneratedBody {
  private static let chunk = 64 << 10
  private static let holdingTime = Duration.seconds(2)
  /// More than a client that left may not have stored yet.
  private static let nearby: Int64 = 256 << 10

  let size: Int64
  let seed: UInt64
  let framing: Response.Framing
  let takesRanges: Bool
  /// With ranges=none the answer says in words that there are no ranges.
  let saysNone: Bool
  let etag: String?
  let modified: String?
  let type: String
  let disposition: String?
  let cookie: String?
  let control: String?
  /// The places in the whole body, in order, at which the server sends nothing more until the client is gone or
  /// `holdingTime` is over: what a client asks for and then leaves is the same on a fast machine and on a slow one. An
  /// answer that begins nearby, where a client left that had not stored all, passes such a place.
  let holds: [Int64]
  /// The status that a request for a part gets; with 206 it gets a part that begins at 0, whatever it asked for.
  let rest: Int?

  init(_ request: Request) throws(LessonServerError) {
    size = try request.size("size") ?? 1 << 20
    // With changes=on a request for a part meets another version of the file.
    let isNew = request[query: "changes"] == "on" && request.head["Range"] != nil
    seed = try request.seed() &+ (isNew ? 1 : 0) &+ UInt64(truncatingIfNeeded: try request.number("number") ?? 0)
    switch request[query: "length"] ?? "known" {
    case "known": framing = .length
    case "none": framing = .untilClose
    case "chunked": framing = .chunked(Self.chunk)
    case let other: throw .invalidParameter("length", other, "known, none or chunked")
    }
    switch request[query: "ranges"] ?? "on" {
    case "on": if case .length = framing { takesRanges = true } else { takesRanges = false }
    case "off", "none": takesRanges = false
    case let other: throw .invalidParameter("ranges", other, "on, off or none")
    }
    saysNone = request[query: "ranges"] == "none"
    etag = request[query: "etag"].map { isNew ? "\"new\"" : $0.hasSuffix("\"") ? $0 : "\"\($0)\"" }
    modified = request[query: "modified"]
    type = request[query: "type"] ?? "application/octet-stream"
    disposition = request[query: "disposition"]
    cookie = request[query: "cookie"]
    control = request[query: "control"]
    rest = try request.number("rest").map { Int(clamping: $0) }
    holds = try request.sizes("hold").sorted()
  }

  /// The response, and between the parts of its body the waits that `holds` asks for.
  func steps(to head: RequestHead) -> [Step] {
    let response = response(to: head)
    guard !holds.isEmpty, head.method != "HEAD", case .length = response.framing,
      case .seeded(let seed, let range) = response.body
    else { return [.response(response)] }
    var steps = [Step.bytes(response.head)]
    var next = range.lowerBound
    for place in holds where place > next + Self.nearby && place < range.upperBound {
      steps += [.seeded(seed: seed, range: next..<place), .hold(Self.holdingTime)]
      next = place
    }
    return steps + [.seeded(seed: seed, range: next..<range.upperBound)]
  }

  private func response(to head: RequestHead) -> Response {
    if let etag, head["If-None-Match"] == etag { return Response(304, fields: fields) }
    if let rest, rest != 206, head["Range"] != nil { return Response(rest) }
    switch range(for: head) {
    case .whole:
      return Response(fields: fields, body: .seeded(seed: seed, range: 0..<size), framing: framing)
    case .part(let part):
      let place = HeaderField("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
      return Response(206, fields: fields + [place], body: .seeded(seed: seed, range: part))
    case .unsatisfiable:
      return Response(416, fields: [HeaderField("Content-Range", "bytes */\(size)")])
    }
  }

  private func range(for head: RequestHead) -> ByteRange {
    guard takesRanges, let range = head["Range"] else { return .whole }
    // RFC 9110 section 13.1.5: a weak validator never matches, a date only when it is the very same.
    if let validator = head["If-Range"], validator.hasPrefix("W/") || (validator != etag && validator != modified) {
      return .whole
    }
    return rest == 206 ? .part(0..<size) : ByteRange(range, size: size)
  }

  private var fields: [HeaderField] {
    var fields = [HeaderField("Content-Type", type)]
    if takesRanges || saysNone { fields.append(HeaderField("Accept-Ranges", saysNone ? "none" : "bytes")) }
    if let cookie { fields.append(HeaderField("Set-Cookie", cookie)) }
    if let control { fields.append(HeaderField("Cache-Control", control)) }
    if let etag { fields.append(HeaderField("ETag", etag)) }
    if let modified { fields.append(HeaderField("Last-Modified", modified)) }
    if let disposition {
      fields.append(HeaderField("Content-Disposition", "attachment; filename=\"\(disposition)\""))
    }
    return fields
  }
}
