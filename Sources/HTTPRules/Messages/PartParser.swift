// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Takes the body of a multipart apart as it comes, cut at any byte (RFC 2046 section 5.1). Pure.
///
/// A delimiter is a line that begins with `--boundary`; the line end before it belongs to it, and what follows on the line
/// is ignored unless it is `--`, which ends the last part. Lines may end with LF alone, as in heads. Between two calls
/// it keeps no more than a head, or a line end and a boundary, both bounded. Whether the body ended in the middle of a part
/// says `isInPart`: a server may hang up behind any boundary, also one that announces a further part.
///
/// Cameras read the RFC otherwise, and are read as they write: the boundary's dashes may be its own, the first part may come
/// without a delimiter, and behind as many bytes as its Content-Length says a part may end without a line end before its
/// delimiter, or without one. What is between two delimiters is a part's body whatever its Content-Length.
package struct PartParser {
  /// An event that was found in the input.
  ///
  /// Safe to hold: only reading through the pointer is not, and is marked where it happens.
  @safe
  package enum Event {
    /// A part begins; what follows is its body.
    case part([HeaderField])
    /// The next bytes of the part's body, within the input.
    case data(UnsafeRawBufferPointer)
    /// The next bytes of the part's body, which could have begun a delimiter.
    case held([UInt8])
    /// It cannot be read; the sentence says why.
    case fault(String)
  }

  private enum State {
    /// At the start of a line, of which this many bytes agree with the delimiter.
    case line(Int)
    /// At the start of the body, of which this many bytes agree with the name of a field.
    case opening(Int)
    case text
    /// Behind a delimiter, this many bytes.
    case delimiter(Int)
    case head
    case epilogue
  }

  private static let (lineFeed, carriageReturn, dash) = (UInt8(10), UInt8(13), UInt8(ascii: "-"))
  private static let headLimit = 32 * 1024
  private static let paddingLimit = 1024
  /// How the fields of a part begin (RFC 2046 section 5.1).
  private static let opening = Array("content-".utf8)

  /// The forms that a delimiter may have: the dashes and the boundary, and until one was found also the boundary alone, where
  /// it has dashes of its own.
  private var readings: [[UInt8]]
  private var delimiter: [UInt8]
  private var state = State.opening(0)
  /// A line end that belongs to the delimiter if one follows, or the beginning of a line end.
  private var held: [UInt8] = []
  private var head: [UInt8] = []
  private var lineStart = 0
  /// True if bytes of a part's body are awaited.
  private var awaitsBody = false
  /// Bytes that are missing to the part's Content-Length; below 0 where there are more, nil without one.
  private var missing: Int?
  /// True if a delimiter was looked for where those bytes end.
  private var hasMetLength = false

  package init(boundary: [UInt8]) {
    delimiter = [Self.dash, Self.dash] + boundary
    readings = boundary.starts(with: [Self.dash, Self.dash]) ? [delimiter, boundary] : [delimiter]
  }

  /// True if a part, with at least one byte of its head, awaits its delimiter, or the rest of its Content-Length.
  package var isInPart: Bool {
    if case .head = state { !head.isEmpty } else { awaitsBody && missing ?? 1 > 0 }
  }

  /// True if the parser has met the closing delimiter; it ignores what follows (the epilogue of RFC 2046 section 5.1.1).
  package var isOver: Bool { if case .epilogue = state { true } else { false } }

  /// The next thing in `input`, whose beginning is taken off; nil when it is used up.
  package mutating func next(_ input: inout Slice<UnsafeRawBufferPointer>) -> Event? {
    while unsafe !input.isEmpty {
      let own = meetLength()
      if !own.isEmpty { return .held(own) }
      let event: Event?
      switch state {
      case .line(let matched): event = unsafe matchLine(matched, &input)
      case .opening(let matched): event = unsafe matchOpening(matched, &input)
      case .text: event = unsafe takeText(&input)
      case .delimiter(let count): event = unsafe skipDelimiter(count, &input)
      case .head: event = unsafe takeHead(&input)
      case .epilogue:
        unsafe input = unsafe input.dropFirst(input.count)
        event = nil
      }
      if let event { return event }
    }
    return nil
  }

  /// The input has ended: bytes that were held belong to the last part.
  package mutating func finish() -> [UInt8] {
    guard awaitsBody else { return [] }
    defer { state = .epilogue }
    let last: [UInt8]
    switch state {
    case .line(let matched): last = held + delimiter[..<matched]
    case .text: last = held
    case .delimiter, .head, .epilogue, .opening: return []
    }
    // A line end behind the whole of a part is not its own.
    return missing.map { $0 + last.count == 0 } ?? false ? [] : last
  }
}

// MARK: - The states

extension PartParser {
  private mutating func matchLine(_ matched: Int, _ input: inout Slice<UnsafeRawBufferPointer>) -> Event? {
    var matched = matched
    while matched < delimiter.count, let byte = unsafe input.first {
      guard byte == delimiter[matched] || reads(otherwise: byte, behind: matched) else {
        return noDelimiter(held + delimiter[..<matched])
      }
      guard matched < delimiter.count else { break }
      matched += 1
      unsafe input = unsafe input.dropFirst()
      missing = missing.map { $0 - 1 }
    }
    guard matched == delimiter.count else {
      state = .line(matched)
      return nil
    }
    (state, held, awaitsBody, missing) = (.delimiter(0), [], false, nil)
    readings = [delimiter]
    return nil
  }

  /// True if the line may be another delimiter than the one that it was compared with.
  private mutating func reads(otherwise byte: UInt8, behind matched: Int) -> Bool {
    let begun = delimiter[..<matched]
    guard
      let other = readings.first(where: { other in
        other != delimiter && other.starts(with: begun) && (other.count == matched || other[matched] == byte)
      })
    else { return false }
    delimiter = other
    return true
  }

  private mutating func matchOpening(_ matched: Int, _ input: inout Slice<UnsafeRawBufferPointer>) -> Event? {
    guard let byte = unsafe input.first, byte | 32 == Self.opening[matched] || byte == Self.opening[matched] else {
      // The compared bytes were a preamble, which has no reader; a delimiter begins with none of them.
      (state, head) = (matched == 0 ? .line(0) : .text, [])
      return nil
    }
    head.append(byte)
    unsafe input = unsafe input.dropFirst()
    state = matched + 1 == Self.opening.count ? .head : .opening(matched + 1)
    return nil
  }

  private mutating func noDelimiter(_ bytes: [UInt8]) -> Event? {
    (state, held) = (.text, [])
    delimiter = readings[0]
    return awaitsBody && !bytes.isEmpty ? .held(bytes) : nil
  }

  private mutating func takeText(_ input: inout Slice<UnsafeRawBufferPointer>) -> Event? {
    guard unsafe held.isEmpty || input.first == Self.lineFeed else { return noDelimiter(held) }
    var bytes = unsafe UnsafeRawBufferPointer(rebasing: input)
    if let missing, missing > 0, missing < bytes.count {
      unsafe bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<missing])
    }
    guard let end = unsafe Self.lineEnd(in: bytes) else {
      unsafe input = unsafe input.dropFirst(bytes.count)
      missing = missing.map { $0 - bytes.count }
      guard unsafe bytes.last == Self.carriageReturn else { return unsafe data(bytes) }
      held = [Self.carriageReturn]
      return unsafe data(UnsafeRawBufferPointer(rebasing: bytes.dropLast()))
    }
    unsafe input = unsafe input.dropFirst(end + 1)
    missing = missing.map { $0 - end - 1 }
    let hasReturn = unsafe end > 0 && bytes[end - 1] == Self.carriageReturn
    held += hasReturn ? [Self.carriageReturn, Self.lineFeed] : [Self.lineFeed]
    state = .line(0)
    return unsafe data(UnsafeRawBufferPointer(rebasing: bytes[..<(hasReturn ? end - 1 : end)]))
  }

  /// The part has as many bytes as it announced: a delimiter may follow at once. The bytes that are its own then.
  private mutating func meetLength() -> [UInt8] {
    guard missing == 0, !hasMetLength else { return [] }
    switch state {
    case .line(0), .text: break
    default: return []
    }
    defer { (state, held, hasMetLength) = (.line(0), [], true) }
    return held
  }

  private static func lineEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress, let end = unsafe memchr(start, Int32(lineFeed), bytes.count) else {
      return nil
    }
    return unsafe UnsafeRawPointer(end) - start
  }

  private func data(_ bytes: UnsafeRawBufferPointer) -> Event? {
    unsafe awaitsBody && !bytes.isEmpty ? .data(bytes) : nil
  }

  /// `count` of the bytes that follow the delimiter have been seen; -1 stands for one dash and nothing else.
  private mutating func skipDelimiter(_ count: Int, _ input: inout Slice<UnsafeRawBufferPointer>) -> Event? {
    guard let byte = unsafe input.popFirst() else { return nil }
    switch (count, byte) {
    case (0, Self.dash): state = .delimiter(-1)
    case (-1, Self.dash): state = .epilogue
    case (_, Self.lineFeed): (state, head, lineStart) = (.head, [], 0)
    case (Self.paddingLimit, _): return .fault("A boundary is followed by more than \(Self.paddingLimit) bytes.")
    default: state = .delimiter(max(1, count + 1))
    }
    return nil
  }

  private mutating func takeHead(_ input: inout Slice<UnsafeRawBufferPointer>) -> Event? {
    let line = unsafe input.prefix { $0 != Self.lineFeed }
    let isComplete = unsafe line.count < input.count
    guard unsafe head.count + line.count < Self.headLimit else {
      return .fault("A part's head has more than \(Self.headLimit) bytes.")
    }
    unsafe head += line
    unsafe input = unsafe input.dropFirst(isComplete ? line.count + 1 : line.count)
    guard isComplete else { return nil }
    if head.last == Self.carriageReturn { head.removeLast() }
    guard head.count == lineStart else {
      head.append(Self.lineFeed)
      lineStart = head.count
      return nil
    }
    guard let fields = PartHead.fields(of: head) else { return .fault("A part's head has a line that is no field.") }
    (state, held, head, awaitsBody, hasMetLength) = (.line(0), [], [], true, false)
    let length = fields.first { $0.isNamed("content-length") }?.value
    missing = length.flatMap { PartHead.isLength($0) ? Int($0) : nil }
    return .part(fields)
  }
}
