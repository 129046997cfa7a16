// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

// Whole messages and documents.
extension Target {
  /// Resume data: what is read can be written and read again.
  static let resumeData = Target("resume-data") { bytes in
    guard let record = try? ResumeRecord(data: Data(bytes)), let again = record.data else { return }
    check((try? ResumeRecord(data: again)) == record, "resume data that changes when it is written")
  }

  /// The lines of a head and of trailers.
  static let head = Target("head") { bytes in
    var judge = HeadJudge(requestMethod: "GET", allowsHTTP2: false)
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      let ended = Array(line) + [10]
      let verdict = judge.line(ended.span)
      switch verdict {
      case .fault: return
      case .interim(let head), .final(let head):
        check((100...999).contains(head.status), "status \(head.status)")
        check(head.fields.allSatisfy { HeaderField.isToken($0.name) }, "a field whose name is none")
      case .more, .trailer: break
      }
    }
  }

  /// A whole head as the response that a delegate is given: the toolchain takes some fields apart by itself.
  static let response = Target("response") { bytes in
    var judge = HeadJudge(requestMethod: "GET", allowsHTTP2: false)
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      let ended = Array(line) + [10]
      let verdict = judge.line(ended.span)
      if case .fault = verdict { return }
      guard case .final(let head) = verdict else { continue }
      guard let url = URL(string: "http://example.com/a/b"), let response = LoadedResponse(head, url: url) else {
        return
      }
      let name = response.suggestedFilename ?? ""
      check(!name.isEmpty && !name.hasPrefix(".") && !name.contains("/"), "the file name “\(name)”")
      check(response.expectedContentLength >= -1, "the length \(response.expectedContentLength)")
      _ = (response.mimeType, response.textEncodingName, response.description)
      return
    }
  }

  /// The parts of multipart/x-mixed-replace: the same parts however the bytes are cut.
  static let mixedReplace = Target("mixed-replace") { bytes in
    check(parts(bytes, step: max(1, bytes.count)) == parts(bytes, step: 1), "cut otherwise, other parts")
  }

  private static func parts(_ bytes: [UInt8], step: Int) -> [[UInt8]]? {
    var parser = PartParser(boundary: Array("b".utf8))
    var parts: [[UInt8]] = []
    var isReadable = true
    for start in stride(from: 0, to: bytes.count, by: step) where isReadable {
      Array(bytes[start..<min(bytes.count, start + step)]).withUnsafeBytes { piece in
        var rest = piece[...]
        while isReadable, let event = parser.next(&rest) {
          switch event {
          case .part: parts.append([])
          case .data(let data): if !parts.isEmpty { parts[parts.count - 1] += data }
          case .held(let data): if !parts.isEmpty { parts[parts.count - 1] += data }
          case .fault: isReadable = false
          }
        }
      }
    }
    return isReadable ? parts + [parser.finish()] : nil
  }

  /// The framing of chunks: the same verdict however the bytes are cut.
  static let chunks = Target("chunks") { bytes in
    var whole = ChunkJudge()
    var dripped = ChunkJudge()
    let fault = whole.feed(bytes.span)
    var drippedFault: TransferFailure?
    for byte in bytes where drippedFault == nil {
      drippedFault = dripped.feed([byte].span)
    }
    check((fault == nil) == (drippedFault == nil), "cut otherwise, another verdict")
    check(fault != nil || whole.isComplete == dripped.isComplete, "cut otherwise, another end")
  }

  /// gzip: the same content however the bytes are cut. Bombs are cut short.
  static let gzip = Target("gzip") { checkDecoding(of: $0, .gzip) }

  /// Brotli, likewise.
  static let brotli = Target("brotli") { checkDecoding(of: $0, .brotli) }

  private static func checkDecoding(of bytes: [UInt8], _ coding: ContentCoding) {
    let whole = decoded(bytes, coding, step: max(1, bytes.count))
    let dripped = decoded(bytes, coding, step: 1)
    check(whole == dripped, "cut otherwise, another content")
  }

  private struct Content: Equatable {
    var checksum = 0
    var count = 0
    var isWhole = false
  }

  private static func decoded(_ bytes: [UInt8], _ coding: ContentCoding, step: Int) -> Content? {
    let chain = DecoderChain([coding])
    var content = Content()
    func take(_ output: UnsafeRawBufferPointer) -> TransferFlow {
      for byte in output { content.checksum = content.checksum &* 31 &+ Int(byte) }
      content.count += output.count
      return .proceed
    }
    for start in stride(from: 0, to: bytes.count, by: step) {
      let piece = Array(bytes[start..<min(bytes.count, start + step)])
      do {
        var turn = try piece.withUnsafeBytes { bytes throws(TransferFailure) in try chain.feed(bytes, take) }
        while turn == .over, content.count <= 1 << 20 { turn = try chain.drain(take) }
      } catch {
        return nil
      }
      if content.count > 1 << 20 { return nil }
    }
    content.isWhole = chain.isComplete
    return content
  }
}
