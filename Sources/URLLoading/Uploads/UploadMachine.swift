// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The decisions of one upload that can be resumed: events in, actions out. Pure.
///
/// The protocol is draft-ietf-httpbis-resumable-upload-05, interoperability version 6. The server names a resource for the
/// upload in a 104 while the body is on its way (section 4.1.2); after an interruption HEAD there returns how much has
/// arrived (section 4.2), and PATCH sends the rest (section 4.4).
struct UploadMachine {
  /// Which request is on its way.
  enum Step: Equatable {
    /// The whole body, as the user asked.
    case whole
    /// The question how much has arrived.
    case offset
    /// The rest of the body, behind so many bytes.
    case rest(Int64)
  }

  /// The action to take.
  enum Action: Equatable {
    /// Ask the resource how much has arrived.
    case ask(URL)
    /// Send the resource the rest.
    case append(URL, from: Int64)
    /// The response is the upload's own.
    case finish
    /// Nothing helps: the upload ends with the error that led here.
    case giveUp
  }

  /// How often in a row an upload is interrupted before it is given up, without that more has arrived in between.
  static let attemptLimit = 3

  private(set) var step = Step.whole
  /// The upload's resource, once it is known.
  private(set) var resource: URL?
  /// The length of the body; nil for a stream of unknown length.
  private let length: Int64?
  private var interruptions = 0
  /// The largest count so far: a server whose count goes to and fro gets nowhere.
  private var known: Int64 = 0

  /// An upload of so many bytes; with a `resource` one that was begun before.
  init(length: Int64?, resource: URL? = nil) {
    (self.length, self.resource) = (length, resource)
  }

  /// A 104 arrived that names `location`, an absolute URL.
  mutating func announced(_ location: URL) {
    if step == .whole { resource = location }
  }

  /// An upload that was begun before continues.
  mutating func resumed() -> Action { ask() }

  /// The connection was lost before a response arrived.
  mutating func interrupted() -> Action {
    guard resource != nil, interruptions < Self.attemptLimit else { return .giveUp }
    interruptions += 1
    return ask()
  }

  /// The response to the question how much has arrived; `offset` and `isComplete` as its fields say, nil where they do not.
  mutating func offsetReported(status: Int, offset: Int64?, isComplete: Bool?) -> Action {
    guard (200...299).contains(status), let resource, let offset, offset >= 0, offset <= length ?? .max else {
      return .giveUp
    }
    // The server has had it all, and what it said of that is lost.
    if isComplete == true { return .finish }
    if offset > known { interruptions = 0 }
    known = max(known, offset)
    step = .rest(offset)
    return .append(resource, from: offset)
  }

  /// The server has another count of received bytes than we (section 4.4, 409).
  mutating func contradicted() -> Action { interrupted() }

  private mutating func ask() -> Action {
    guard let resource else { return .giveUp }
    step = .offset
    return .ask(resource)
  }
}
