// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Transport

/// The ends that differ with the libcurl of the process (`CurlFacts`).
extension FaultCatalogue {
  private static let facts = CurlFacts.current

  /// Chunks that are none: where libcurl alone reads them, it says that it lost the connection.
  static let badChunks = facts.showsChunks ? badMessage : connectionLost

  /// A line of a chunk that never ends: libcurl reads it to no end, and tells of nothing meanwhile.
  static let endlessChunk = facts.showsChunks ? tooLarge : timedOut

  /// Short where nothing but the time-out ends it.
  static let endlessChunkTimeout: Duration = facts.showsChunks ? .seconds(60) : .seconds(4)

  /// The first one counts, or none.
  static let twoLocations = facts.refusesTwoLocations ? badMessage : gotHello

  /// What all but the last byte of a response lead to. The body in chunks is complete with its last chunk (RFC 9112 section 8),
  /// and a libcurl that reads them alone does not wait for the end of the line behind it.
  static func lastByteMissing(_ response: Response, _ body: [UInt8], _ ending: Ending) -> FaultOutcome {
    guard case .chunked = response.framing, ending == .fin, !facts.showsChunks else { return connectionLost }
    return .success(status: 200, body: body)
  }
}
