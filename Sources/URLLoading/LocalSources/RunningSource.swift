// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

/// A local source at work, with the bytes that it brought and that could not be taken yet. Of the I/O thread.
final class RunningSource {
  /// The step that follows when no report can be taken.
  enum Step {
    case wait
    /// The source may bring more.
    case askForMore
    case fail(URLError)
    /// It ended without a response.
    case failWithoutResponse
    case finish
  }

  /// How much is taken at a time, as a transfer would bring it.
  private static let piece = 64 * 1024

  let source: any LocalSource
  /// A response that is shown with the next report: it may be that of a redirect.
  var held: URLResponse?
  private var waiting: [Data] = []
  /// The first byte of `waiting` that was not taken.
  private var offset = 0
  private var end: URLError??

  init(_ source: any LocalSource) {
    self.source = source
  }

  /// True if a report of `other` counts.
  func isReporting(_ other: any LocalSource) -> Bool { source === other && end == nil }

  func append(_ data: Data) {
    if !data.isEmpty { waiting.append(data) }
  }

  func end(_ error: URLError?) {
    end = .some(error)
  }

  /// Takes the next piece off; nil when none waits.
  func next() -> Data? {
    guard let first = waiting.first else { return nil }
    let start = first.startIndex + offset
    let count = min(Self.piece, first.count - offset)
    offset += count
    if offset == first.count {
      waiting.removeFirst()
      offset = 0
    }
    return first[start..<(start + count)]
  }

  /// Chooses the next step, with or without a response that could take the body.
  func step(hasResponse: Bool) -> Step {
    guard waiting.isEmpty || !hasResponse else { return .wait }
    switch end {
    case nil: return hasResponse ? .askForMore : .wait
    case .some(let error?): return .fail(error)
    case .some(nil): return hasResponse ? .finish : .failWithoutResponse
    }
  }
}
