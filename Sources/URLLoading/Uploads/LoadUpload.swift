// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Transport

/// The upload of a load, which continues where it was interrupted, by itself or later: heads and failures in, the next
/// request out. What is decided, `UploadMachine` decides. Of the I/O thread.
struct LoadUpload {
  /// The step after a head that is no response like any other.
  enum Step {
    /// The response is dropped for this request.
    case send(URLRequest)
    case fail(URLError)
  }

  /// The content of a request of the upload.
  enum Content {
    /// The content of the user's request.
    case whole
    case nothing
    /// The rest of the body.
    case rest(TransferBody)
    /// The rest of a file, behind so many bytes.
    case restOfFile(path: String, from: Int64)
    /// The rest behind so many bytes, which the client has to give.
    case requested(from: Int64)
  }

  private let original: URLRequest
  private var machine: UploadMachine
  /// The body's file, where an earlier load wrote it; it goes with the load.
  private let spool: UploadBody?
  /// The error that led to the question how much has arrived.
  private var error: URLError?
  /// True if the client wants to continue later.
  var isWanted = false

  /// The upload of `body` with the request `original`.
  init(_ original: URLRequest, body: LoadBody) {
    (self.original, spool) = (original, nil)
    machine = UploadMachine(length: body.count)
  }

  /// One that was begun before, whose body was found again.
  init(_ original: URLRequest, resuming record: UploadRecord, with body: UploadBody) {
    (self.original, spool) = (original, body)
    machine = UploadMachine(length: body.length, resource: record.resource)
  }
}

// MARK: - Requests

extension LoadUpload {
  /// Bytes of the body that went with earlier requests.
  var base: Int64 { if case .rest(let offset) = machine.step { offset } else { 0 } }

  /// True if the question how much has arrived is on its way.
  var isAsking: Bool { machine.step == .offset }

  /// True if the next request is for the whole, and not one about a resource of the server's.
  var isForWhole: Bool { machine.step == .whole }

  /// Returns the content of the next request; `body` is that of the whole.
  func content(of body: LoadBody?) -> Content {
    switch machine.step {
    case .whole: return .whole
    case .offset: return .nothing
    case .rest(let offset):
      switch body {
      case .data(let data): return .rest(.bytes(data.dropFirst(Int(clamping: offset))))
      case .file(let url): return .restOfFile(path: url.path, from: offset)
      case .requested, nil: return .requested(from: offset)
      }
    }
  }

  /// Adds what every request for the whole says besides what its user says.
  func addFields(to request: inout TransferRequest) {
    guard isForWhole else { return }
    if case .none = request.body { return }
    request.fields += UploadFields.forWhole(request.fields)
  }

  /// The request with which an upload continues that was begun before; nil where it cannot.
  mutating func resume() -> URLRequest? { question(machine.resumed()) }

  /// The connection was lost before a response arrived, which made `error`: the next request, or nil when that is the end.
  mutating func interrupted(_ error: @autoclosure () -> URLError) -> URLRequest? {
    let question = question(machine.interrupted())
    if question != nil { self.error = error() }
    return question
  }

  private func question(_ action: UploadMachine.Action) -> URLRequest? {
    if case .ask(let resource) = action { UploadFields.question(original, to: resource) } else { nil }
  }
}

// MARK: - Heads

extension LoadUpload {
  /// An interim response to a request to `url` may say where the upload could continue.
  mutating func note(_ interim: ResponseHead, from url: URL) {
    if let resource = UploadFields.resource(in: interim, for: url) { machine.announced(resource) }
  }

  /// Judges a head that answers the question how much has arrived, or says that we are wrong about that; nil when it is a
  /// response like any other.
  mutating func judge(_ head: ResponseHead, from url: URL?) -> Step? {
    let action: UploadMachine.Action
    switch machine.step {
    case .whole: return nil
    case .offset:
      action = machine.offsetReported(
        status: head.status, offset: UploadFields.offset(in: head), isComplete: UploadFields.isComplete(in: head))
    case .rest:
      guard head.status == 409 else { return nil }
      action = machine.contradicted()
      if action == .giveUp { return nil }
    }
    switch action {
    case .finish: return nil
    case .ask(let resource): return .send(UploadFields.question(original, to: resource))
    case .append(let resource, let offset):
      return .send(UploadFields.rest(original, to: resource, from: offset))
    case .giveUp: return .fail(error ?? LoadError.unresumable(upload: .gone(head.status), url: url))
    }
  }
}

// MARK: - The end

extension LoadUpload {
  /// Makes the partial upload needed to continue after this end; nil where that is impossible or not wanted.
  func partial(after error: URLError?, body: LoadBody?) -> PartialUpload? {
    guard let resource = machine.resource, let error,
      isWanted && error.code == .cancelled || ResumeRules.isWorthKeeping(after: error.code)
    else { return nil }
    return PartialUpload(request: original, resource: resource, body: body, spool: spool)
  }
}
