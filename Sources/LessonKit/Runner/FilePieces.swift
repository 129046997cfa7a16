// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer

/// Tells from which version of the server's file the bytes of a download are, and which request brought them.
///
/// The bytes themselves say their version: each is compared with both versions, at its own place and at the places where an
/// answer from the first byte on may have been appended. What the server saw says which request brought them. A range that
/// the server sent begins a piece, so that a whole file shows its seams, too.
struct FilePieces {
  private static let whole: Range<Int64> = 0..<Int64.max
  /// More pieces than a reader can tell apart.
  private static let most = 64
  private static let block = 64 << 10
  /// Fewer bytes than this agree by chance.
  private static let least: Int64 = 64

  /// An answer that had bytes of the body: where they begin and end in it, and where they would be appended.
  private struct Answer {
    var number: Int
    var range: Range<Int64>
    /// 0 where it would not be.
    var appendedAt: Int64
  }

  /// A version of the body, and how far behind its own place a file may have it.
  private struct Source {
    var version: Int
    var stream: SeededBody
    var shift: Int64
  }

  private let seed: UInt64
  private let answers: [Answer]

  /// For a file that these requests brought; nil where there are not two answers for one address with bytes of its body.
  init?(of requests: [RequestSeen], seed: UInt64) {
    let numbered = requests.enumerated().filter { $1.method == "GET" && ($1.status == 200 || $1.status == 206) }
    guard numbered.count > 1, Set(numbered.map(\.element.target)).count == 1 else { return nil }
    self.seed = seed
    answers = numbered.map { index, request in
      let asked = request.range.flatMap(Self.bounds)
      let isPart = request.status == 206
      return Answer(
        number: index + 1, range: isPart ? asked ?? Self.whole : Self.whole,
        appendedAt: isPart ? 0 : asked?.lowerBound ?? 0)
    }
  }

  /// The pieces of the file at `path`; nil where it cannot be read or has more of them than can be shown.
  func pieces(of path: String) -> [FilePiece]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let size = Int64(lseek(file, 0, SEEK_END))
    let bounds = answers.flatMap { [$0.range.lowerBound, $0.range.upperBound, $0.appendedAt] }
    let cuts = Set(bounds + [0, size]).filter { (0...size).contains($0) }.sorted()
    var pieces: [FilePiece] = []
    for (begin, end) in zip(cuts, cuts.dropFirst()) {
      var place = begin
      while place < end {
        let piece = piece(at: place, before: end, in: file)
        place = Int64(piece.ended)
        pieces.append(piece)
        if pieces.count > Self.most { return nil }
      }
    }
    return withRequests(pieces).joined
  }

  // MARK: - Versions

  /// The longest run of bytes from `place` on that the file shares with one source. Where the file shares none with any, a
  /// block without a version.
  private func piece(at place: Int64, before end: Int64, in file: Int32) -> FilePiece {
    let all = sources.map { ($0, length(of: $0, at: place, before: end, in: file)) }
    guard let (source, length) = all.max(by: { $0.1 < $1.1 }), length >= min(Self.least, end - place) else {
      let ended = min(end, place + Int64(Self.block))
      return FilePiece(began: Int(place), ended: Int(ended), version: nil, offset: Int(place), request: nil)
    }
    return FilePiece(
      began: Int(place), ended: Int(place + length), version: source.version, offset: Int(place - source.shift),
      request: nil)
  }

  /// Both versions, each in its place and behind what was there when an answer was appended.
  private var sources: [Source] {
    let shifts = Set(answers.map(\.appendedAt)).sorted()
    return [1, 2].flatMap { version in
      let stream = SeededBody(seed: seed &+ UInt64(version - 1))
      return shifts.map { Source(version: version, stream: stream, shift: $0) }
    }
  }

  /// For how many bytes from `place` on the file has what the source has.
  private func length(of source: Source, at place: Int64, before end: Int64, in file: Int32) -> Int64 {
    guard place >= source.shift else { return 0 }
    var length: Int64 = 0
    while place + length < end {
      let wanted = Int(min(Int64(Self.block), end - place - length))
      let equal = withUnsafeTemporaryAllocation(byteCount: 2 * wanted, alignment: 16) { buffer in
        let (own, other) = (
          UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]),
          UnsafeMutableRawBufferPointer(rebasing: buffer[wanted...])
        )
        guard let first = own.baseAddress, let second = other.baseAddress,
          pread(file, first, wanted, Int(place + length)) == wanted
        else { return 0 }
        source.stream.fill(other, from: place + length - source.shift)
        if memcmp(first, second, wanted) == 0 { return wanted }
        return zip(own, other).prefix { $0 == $1 }.count
      }
      length += Int64(equal)
      if equal < wanted { break }
    }
    return length
  }

  // MARK: - Requests

  /// The pieces with the request of each: of one in the wrong place the answer that was appended there, of another the last
  /// answer that has the bytes of its place and was not appended elsewhere.
  private func withRequests(_ pieces: [FilePiece]) -> [FilePiece] {
    let shifts = Set(pieces.filter { $0.version != nil }.map { Int64($0.began - $0.offset) }).subtracting([0])
    return pieces.map { piece in
      var piece = piece
      let shift = Int64(piece.began - piece.offset)
      piece.request =
        piece.version == nil
        ? nil
        : answers.last {
          shift != 0
            ? $0.appendedAt == shift : !shifts.contains($0.appendedAt) && $0.range.contains(Int64(piece.began))
        }?.number
      return piece
    }
  }

  /// The bounds of `bytes=3-` and `bytes=3-7`, half-open.
  private static func bounds(_ range: String) -> Range<Int64>? {
    guard let match = range.wholeMatch(of: /bytes=([0-9]+)-([0-9]*)/), let first = Int64(match.output.1) else {
      return nil
    }
    let last = Int64(match.output.2) ?? .max - 1
    return first <= last ? first..<(last + 1) : nil
  }
}

extension [FilePiece] {
  /// The pieces with those joined that go on in the same version and came in the same answer.
  fileprivate var joined: [FilePiece] {
    reduce(into: []) { pieces, piece in
      if let last = pieces.last, last.version == piece.version, last.request == piece.request,
        last.began - last.offset == piece.began - piece.offset
      {
        pieces[pieces.count - 1].ended = piece.ended
      } else {
        pieces.append(piece)
      }
    }
  }
}
