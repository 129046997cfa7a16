// SPDX-License-Identifier: Apache-2.0
public import LessonServer

/// The families: one response, cut at every byte. None of them may ever be called a success.
extension FaultCatalogue {
  /// A response with a length that is cut for H1-17 and H1-18.
  public static let sample = Response(
    fields: [HeaderField("Content-Type", "text/plain"), HeaderField("X-Note", "cut me")],
    body: .bytes(Array("every byte counts: 0123456789".utf8)))

  /// A response in chunks, with an extension's worth of framing, that is cut for H1-30.
  public static let chunkedSample = Response(
    fields: [HeaderField("Content-Type", "text/plain")], body: .bytes(Array("every byte counts".utf8)),
    framing: .chunked(6))

  /// H1-17: FIN inside the headers, at every byte.
  public static var headCuts: [FaultCase] {
    cuts("H1-17", of: sample, by: .fin).filter { $0.cut < sample.head.count }.map(\.fault)
  }

  /// H1-18: RST at every byte of headers and body.
  public static var resetCuts: [FaultCase] {
    cuts("H1-18", of: sample, by: .rst).map(\.fault)
  }

  /// H1-24: FIN at every byte of a body with a length.
  public static var bodyCuts: [FaultCase] {
    cuts("H1-24", of: sample, by: .fin).filter { $0.cut >= sample.head.count }.map(\.fault)
  }

  /// H1-30: a chunked response cut at every byte, by FIN and by RST.
  public static var chunkedCuts: [FaultCase] {
    (cuts("H1-30", of: chunkedSample, by: .fin) + cuts("H1-30", of: chunkedSample, by: .rst)).map(\.fault)
  }

  /// A response cut before its end, once for each of its bytes, with the number of bytes that were let through.
  public static func cuts(
    _ id: String, of response: Response, by ending: Ending
  ) -> [(cut: Int, fault: FaultCase)] {
    let body: [UInt8] = if case .bytes(let bytes) = response.body { bytes } else { [] }
    return (0..<response.wireLength).map { count in
      let script = Script.response(response).cut(after: Int64(count), by: ending)
      let isAllButOne = count + 1 == response.wireLength
      let end = isAllButOne ? lastByteMissing(response, body, ending) : connectionLost
      let exchange = FaultExchange(.script(script), trueBody: body, outcomes: [end])
      let fault = FaultCase(
        id, "\(ending)-at-\(count)", "\(ending) after \(count) of \(response.wireLength) bytes", [exchange])
      return (count, fault)
    }
  }
}

extension Response {
  /// How many bytes it takes on the wire, for bodies held in memory.
  var wireLength: Int {
    let body = Int(bodyLength)
    guard case .chunked(let size) = framing else { return head.count + body }
    var length = head.count + 5
    for start in stride(from: 0, to: body, by: size) {
      let count = min(size, body - start)
      length += String(count, radix: 16).utf8.count + 4 + count
    }
    return length
  }
}
