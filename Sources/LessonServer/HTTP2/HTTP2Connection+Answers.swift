// SPDX-License-Identifier: Apache-2.0
import CNGHTTP2

/// From a whole request to its answer.
extension HTTP2Connection {
  /// The head has arrived: begins a script that does not wait for the body.
  func answerEarly(_ stream: HTTP2Stream) {
    let head = stream.head
    switch connection.context.routes.find(head)?.route.answer {
    case .early(let function): stream.script = function(request(head, stream))
    case .script(let script): stream.script = script
    case .sequence, .function, nil: return
    }
    if stream.script?.readsBodyFirst == false { answer(stream) }
  }

  /// The request has arrived whole, unless its script does not want that: finds its script and begins it.
  func answer(_ stream: HTTP2Stream) {
    guard !stream.hasBegun else { return }
    stream.hasBegun = true
    let script = stream.script ?? script(for: stream.head, stream)
    stream.steps = script.steps[...]
    advance(stream)
  }

  private func request(_ head: RequestHead, _ stream: HTTP2Stream) -> Request {
    Request(
      head: head, connection: connection.id, turn: Int(stream.id + 1) / 2, bodyBytes: stream.received.count,
      bodyChecksum: stream.received.value)
  }

  private func script(for head: RequestHead, _ stream: HTTP2Stream) -> Script {
    guard let route = connection.context.routes.find(head) else {
      return .response(.text("The lesson server has no route \(head.method) \(head.path).\n", 404))
    }
    if let script = route.nextScript() { return script }
    switch route.route.answer {
    case .function(let function), .early(let function): return function(request(head, stream))
    case .script, .sequence: return []
    }
  }

  /// Goes through the steps up to the next one that takes time.
  func advance(_ stream: HTTP2Stream) {
    while let step = stream.steps.popFirst() {
      switch step {
      case .response(let response):
        noteLastWord(of: stream)
        return submit(response, on: stream)
      case .delay(let duration):
        stream.due = MonotonicTime.now().advanced(by: duration)
        return
      case .pace(.bytesPerSecond(let rate)): stream.rate = max(rate, 1)
      case .pace, .readBody: break
      case .stall: return
      case .end: return reset(stream, NGHTTP2_CANCEL)
      case .resetStream(let code), .resetStreamApart(let code), .cutStream(let code):
        return reset(stream, nghttp2_error_code(rawValue: code))
      case .goAway:
        nghttp2_submit_goaway(
          session, UInt8(NGHTTP2_FLAG_NONE.rawValue), max(0, stream.id - 2), NGHTTP2_NO_ERROR.rawValue, nil, 0)
        return
      case .drop:
        isDropped = true
        return
      case .computed(let make): return submit(make(), on: stream)
      case .bytes, .seeded, .repeated, .cut, .gate, .hold, .receive, .echo, .readLine, .beginTLS, .acceptSocket,
        .echoMessages:
        return reset(stream, NGHTTP2_INTERNAL_ERROR)
      }
    }
    reset(stream, NGHTTP2_NO_ERROR)
  }

  private func noteLastWord(of stream: HTTP2Stream) {
    switch stream.steps.first {
    case .resetStream(let code)?: stream.lastWord = code
    case .resetStreamApart(let code)?: (stream.lastWord, stream.isLastWordApart) = (code, true)
    case .cutStream(let code)?: (stream.lastWord, stream.isLastWordApart, stream.isCut) = (code, true, true)
    default: break
    }
  }

  /// The last frame of a response has been sent.
  func hasEnded(_ id: Int32) {
    guard let stream = streams[id], stream.lastWord != nil, !stream.hasEnded else { return }
    stream.hasEnded = true
    if stream.isLastWordApart { stream.due = MonotonicTime.now() } else { sayLastWord(of: stream) }
  }

  /// Resets the stream behind its response.
  func sayLastWord(of stream: HTTP2Stream) {
    if let code = stream.lastWord { reset(stream, nghttp2_error_code(rawValue: code)) }
  }

  private func reset(_ stream: HTTP2Stream, _ code: nghttp2_error_code) {
    nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, code.rawValue)
  }

  private func submit(_ response: Response, on stream: HTTP2Stream) {
    (stream.status, stream.answered) = (response.status, .now())
    let hasBody = response.mayHaveBody && stream.head.method != "HEAD" && response.bodyLength > 0
    if hasBody { stream.body = response.body }
    var provider = nghttp2_data_provider()
    provider.read_callback = HTTP2Callbacks.readBody
    let fields = Self.fields(of: response)
    let lines = ["HTTP/2 \(response.status)"] + fields.map { "\($0.name): \($0.value)" }
    stream.answerHead = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    withNameValues(of: [HeaderField(":status", "\(response.status)")] + fields) { fields in
      withUnsafePointer(to: &provider) { provider in
        _ = nghttp2_submit_response(session, stream.id, fields.baseAddress, fields.count, hasBody ? provider : nil)
      }
    }
  }

  /// The response's fields as HTTP/2 has them: names in lower case, none that belongs to HTTP/1.1 framing
  /// (RFC 9113 section 8.2.2).
  private static func fields(of response: Response) -> [HeaderField] {
    var fields = response.fields.map { HeaderField($0.name.lowercased(), $0.value) }
      .filter { !["connection", "transfer-encoding", "keep-alive"].contains($0.name) }
    if case .length = response.framing, response.mayHaveBody {
      fields.append(HeaderField("content-length", "\(response.bodyLength)"))
    }
    return fields
  }

  /// Gives the fields as nghttp2 takes them; it copies them during the call.
  private func withNameValues(of fields: [HeaderField], _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Void) {
    var text = fields.flatMap { Array($0.name.utf8) + Array($0.value.utf8) }
    text.withUnsafeMutableBufferPointer { text in
      guard var next = text.baseAddress else { return }
      let values = fields.map { field in
        let (name, value) = (field.name.utf8.count, field.value.utf8.count)
        defer { next += name + value }
        return nghttp2_nv(
          name: next, value: next + name, namelen: name, valuelen: value, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
      }
      values.withUnsafeBufferPointer(body)
    }
  }

  /// Gives the next body bytes to nghttp2, or holds the stream back where a rate says so.
  func readBody(_ id: Int32, into room: UnsafeMutableRawBufferPointer, _ flags: UnsafeMutablePointer<UInt32>) -> Int {
    guard let stream = streams[id] else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
    if stream.due != nil { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
    var room = room
    if let rate = stream.rate { room = UnsafeMutableRawBufferPointer(rebasing: room.prefix(max(rate / 50, 1))) }
    let count = stream.fill(room)
    if stream.isComplete {
      flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
      if stream.isCut { flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue }
    } else if let rate = stream.rate {
      stream.due = MonotonicTime.now().advanced(by: .seconds(Double(count) / Double(rate)))
    }
    return count
  }
}
