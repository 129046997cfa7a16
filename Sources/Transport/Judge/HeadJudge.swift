// SPDX-License-Identifier: Apache-2.0
import HTTPRules

/// Reads the heads of one exchange line by line and decides whether they are well formed.
///
/// libcurl hands over each line but calls many malformed heads a success: contradictory lengths, folded framing, a
/// version that HTTP does not have, a switch of protocols that the request did not offer. So this judge sees the lines first.
/// Pure: a line in, a verdict out; no clock, lock or I/O.
struct HeadJudge {
  /// The outcome of a line.
  enum Verdict: Equatable {
    /// The head continues.
    case more
    /// An interim head is complete.
    case interim(ResponseHead)
    /// The final head is complete.
    case final(ResponseHead)
    /// A trailer field, which never becomes a header (RFC 9112 section 7.1.2).
    case trailer
    /// The message cannot be used.
    case fault(TransferFailure)
  }

  /// Bytes of all heads together, interim ones included. Chromium's bound is 256 KiB, too.
  static let headLimit = 256 * 1024
  /// As many fields as a head seldom exceeds.
  private static let usualFields = 12
  /// Bytes of a status line.
  static let statusLineLimit = 8 * 1024
  /// Bytes of trailers.
  static let trailerLimit = 64 * 1024

  private enum Phase { case statusLine, fields, body }

  /// True if the connection speaks HTTP/2; nothing but ALPN says so, least of all the answer.
  var allowsHTTP2 = false
  private let allowsUpgrade: Bool
  private let requestMethod: String
  private var phase = Phase.statusLine
  private var status = 0
  private var version = ""
  private var fields: [HeaderField] = []
  private var headBytes = 0
  private var trailerBytes = 0
  /// True if Content-Length and Transfer-Encoding arrived together in the final head (RFC 9112 section 6.3).
  private(set) var isAmbiguous = false
  /// True if the final head announces chunks.
  private(set) var isChunked = false

  /// A judge for the answer to `requestMethod`. With an upgrade asked for, 101 is a final head: what follows is no HTTP.
  init(requestMethod: String, allowsUpgrade: Bool = false) {
    self.requestMethod = requestMethod
    self.allowsUpgrade = allowsUpgrade
  }

  /// A judge for another answer to the same request.
  var anew: HeadJudge {
    var anew = HeadJudge(requestMethod: requestMethod, allowsUpgrade: allowsUpgrade)
    anew.allowsHTTP2 = allowsHTTP2
    return anew
  }

  /// True if the final head has been seen to its blank line.
  var isFinalHeadComplete: Bool { phase == .body }

  /// Takes one line with its line end (CRLF, or LF alone, which RFC 9112 section 2.2 lets a recipient accept).
  mutating func line(_ line: Span<UInt8>) -> Verdict {
    guard phase != .body else { return trailers(line) }
    headBytes += line.count
    guard headBytes <= Self.headLimit else {
      return .fault(.tooLarge("The response's header fields are larger than \(Self.headLimit / 1024) KiB."))
    }
    let content = line.extracting(first: line.count - Self.lengthOfLineEnd(line))
    if phase == .statusLine { return statusLine(content) }
    return content.isEmpty ? endOfHead() : field(content)
  }

  /// Judges trailer lines, of which one call may bring several: libcurl 7.88 and 8.5 join those that arrive during a pause.
  private mutating func trailers(_ lines: Span<UInt8>) -> Verdict {
    trailerBytes += lines.count
    guard trailerBytes <= Self.trailerLimit else {
      return .fault(.tooLarge("The response's trailer fields are larger than \(Self.trailerLimit / 1024) KiB."))
    }
    var rest = lines
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 10).map { $0 + 1 } ?? rest.count
      let line = rest.extracting(..<end)
      rest = rest.extracting(end...)
      if let fault = Self.fault(ofTrailer: line.extracting(first: line.count - Self.lengthOfLineEnd(line))) {
        return .fault(fault)
      }
    }
    return .trailer
  }

  private static func fault(ofTrailer line: Span<UInt8>) -> TransferFailure? {
    if line.isEmpty || (line[0] == 32 || line[0] == 9) && value(line) != nil { return nil }
    guard let colon = line.firstIndex(of: 58), name(line.extracting(..<colon)) != nil else {
      return .malformed("The response has the line '\(excerpt(line))' behind its body, which is not a trailer field.")
    }
    return value(line.extracting((colon + 1)...)) == nil ? hostileValue(line) : nil
  }

  private static func lengthOfLineEnd(_ line: Span<UInt8>) -> Int {
    var end = line.count
    if end > 0, line[end - 1] == 10 { end -= 1 }
    if end > 0, line[end - 1] == 13 { end -= 1 }
    return line.count - end
  }
}

// MARK: - Status line

extension HeadJudge {
  /// RFC 9112 section 4: HTTP-version SP 3DIGIT SP [reason-phrase]; the last space is often left out.
  private mutating func statusLine(_ line: Span<UInt8>) -> Verdict {
    guard line.count <= Self.statusLineLimit else {
      return .fault(.malformed("The response's status line is longer than \(Self.statusLineLimit / 1024) KiB."))
    }
    guard let space = line.firstIndex(of: 32), line.count >= space + 4,
      let version = acceptedVersion(line.extracting(..<space)),
      let status = Self.number(line.extracting((space + 1)..<(space + 4))), status >= 100,
      line.count == space + 4 || line[space + 4] == 32,
      line.firstIndex(of: 0) == nil, line.firstIndex(of: 13) == nil
    else { return .fault(.malformed("The response begins with '\(Self.excerpt(line))', which is not a status line.")) }
    guard status != 101 || allowsUpgrade else {
      // RFC 9110 section 15.2.2: only for a client that asked with Upgrade.
      return .fault(.malformed("The server switches protocols (101), which nobody asked for."))
    }
    self.version = version
    self.status = status
    fields = []
    fields.reserveCapacity(Self.usualFields)
    phase = .fields
    return .more
  }

  private func acceptedVersion(_ bytes: Span<UInt8>) -> String? {
    if bytes.spells("HTTP/1.1") { return "HTTP/1.1" }
    if bytes.spells("HTTP/1.0") { return "HTTP/1.0" }
    return allowsHTTP2 && bytes.spells("HTTP/2") ? "HTTP/2" : nil
  }

  private static func number(_ digits: Span<UInt8>) -> Int? {
    var value = 0
    for index in digits.indices {
      guard (48...57).contains(digits[index]) else { return nil }
      value = value * 10 + Int(digits[index] - 48)
    }
    return value
  }
}

// MARK: - Fields

extension HeadJudge {
  private mutating func field(_ line: Span<UInt8>) -> Verdict {
    if line[0] == 32 || line[0] == 9 { return foldedLine(line) }
    guard let colon = line.firstIndex(of: 58), let name = Self.name(line.extracting(..<colon)) else {
      return .fault(.malformed("The response has the line '\(Self.excerpt(line))', which is not a header field."))
    }
    guard let value = Self.value(line.extracting((colon + 1)...)) else { return .fault(Self.hostileValue(line)) }
    fields.append(HeaderField(name: name, value: value))
    return .more
  }

  /// RFC 9112 section 5.2: a user agent replaces each obsolete fold with a space.
  private mutating func foldedLine(_ line: Span<UInt8>) -> Verdict {
    guard !fields.isEmpty else {
      return .fault(.malformed("The response's first header field begins with white space."))
    }
    guard let more = Self.value(line) else { return .fault(Self.hostileValue(line)) }
    let last = fields.count - 1
    fields[last].value += fields[last].value.isEmpty || more.isEmpty ? more : " " + more
    return .more
  }

  /// The name of a field; nil when it is no token (RFC 9110 section 5.1).
  private static func name(_ bytes: Span<UInt8>) -> String? {
    guard !bytes.isEmpty else { return nil }
    for index in bytes.indices where !HeaderField.isTokenByte(bytes[index]) { return nil }
    return bytes.text
  }

  /// The value without surrounding white space, as ISO 8859-1; nil with a NUL or a bare CR in it, which RFC 9110
  /// section 5.5 calls dangerous.
  private static func value(_ bytes: Span<UInt8>) -> String? {
    var (start, end) = (0, bytes.count)
    while start < end, bytes[start] == 32 || bytes[start] == 9 { start += 1 }
    while end > start, bytes[end - 1] == 32 || bytes[end - 1] == 9 { end -= 1 }
    var isASCII = true
    for index in start..<end {
      if bytes[index] == 0 || bytes[index] == 13 || bytes[index] == 10 { return nil }
      if bytes[index] >= 128 { isASCII = false }
    }
    if isASCII { return bytes.extracting(start..<end).text }
    var text = String.UnicodeScalarView()
    for index in start..<end { text.append(Unicode.Scalar(bytes[index])) }
    return String(text)
  }

  private static func hostileValue(_ line: Span<UInt8>) -> TransferFailure {
    .malformed("The header field '\(excerpt(line))' has a control character in its value.")
  }

  private static func excerpt(_ line: Span<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for index in 0..<min(40, line.count) {
      text.append(line[index] >= 32 && line[index] < 127 ? Unicode.Scalar(line[index]) : "?")
    }
    return String(text) + (line.count > 40 ? "…" : "")
  }
}

// MARK: - End of a head

extension HeadJudge {
  private mutating func endOfHead() -> Verdict {
    if status < 200, status != 101 {
      phase = .statusLine
      return .interim(ResponseHead(status: status, version: version, fields: fields, decodedCodings: []))
    }
    let framing: MessageFraming
    do {
      framing = try MessageFraming(status: status, version: version, fields: fields, requestMethod: requestMethod)
    } catch {
      return .fault(error)
    }
    phase = .body
    isAmbiguous = framing.isAmbiguous
    isChunked = framing.isChunked
    return .final(
      ResponseHead(
        status: status, version: version, fields: fields, contentLength: framing.contentLength,
        decodedCodings: framing.codings))
  }
}

extension TransferFailure {
  static func malformed(_ sentence: String) -> TransferFailure {
    TransferFailure(.malformedResponse, description: sentence)
  }

  static func tooLarge(_ sentence: String) -> TransferFailure {
    TransferFailure(.responseTooLarge, description: sentence)
  }
}
