// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking
import Timeline
import Transport

/// What a load knows about its upload. Of the I/O thread.
struct UploadState {
  var machine: UploadMachine
  /// The body's file, where an earlier load wrote it; it goes with the load.
  var spool: UploadBody?
  /// The error that led to the question how much has come.
  var error: URLError?
  /// Whether the client wants to go on later.
  var isWanted = false

  /// Bytes of the body that went with earlier requests.
  var base: Int64 { if case .rest(let offset) = machine.step { offset } else { 0 } }
}

/// Uploads that go on where they were interrupted, by themselves or later (`UploadMachine`).
extension Load {
  /// Ends the load as cancelled, unless it has ended, with what is needed to go on later, where that is possible.
  package func cancelUploadToResume() {
    Timeline.emit(.cancelled, subject: subject)
    context.transport.perform {
      self.upload?.isWanted = true
      self.end(LoadError.error(.cancelled, url: self.currentURL, description: "cancelled"))
    }
  }

  /// Opens the body of an earlier upload, then asks how much of it has come.
  func openUpload(_ record: UploadRecord, in directory: URL) {
    let number = beginLookup()
    FileSink.disk.async { [self] in
      do throws(ResumeRefusal) {
        let body = try UploadBody(of: record, in: directory)
        context.transport.perform { if self.endsLookup(number) { self.opened(body, of: record) } }
      } catch {
        context.transport.perform {
          self.end(LoadError.unresumable(upload: error, url: self.originalRequest.url))
        }
      }
    }
  }

  private func opened(_ body: UploadBody, of record: UploadRecord) {
    givenBody = body.body
    var machine = UploadMachine(length: body.length, resource: record.resource)
    let order = machine.resumed()
    upload = UploadState(machine: machine, spool: body)
    perform(order)
  }

  /// What every request of an upload says besides what its user says.
  func addUploadFields(to transferRequest: inout TransferRequest) {
    guard upload?.machine.step == .whole, givenBody != nil, transferRequest.hasContent else { return }
    transferRequest.fields += UploadFields.forWhole(transferRequest.fields)
  }

  /// The server says where the upload could go on.
  func noteUploadResource(_ head: ResponseHead) {
    guard let url = currentURL, let resource = UploadFields.resource(in: head, for: url) else { return }
    upload?.machine.announced(resource)
  }

  /// The body of a request that is not for the whole of it: none, or the rest. False for a request for the whole.
  func sendsPartOfUpload(_ request: URLRequest) -> Bool {
    guard let upload else { return false }
    switch upload.machine.step {
    case .whole: return false
    case .offset: transmit(request, nil)
    case .rest(let offset):
      switch givenBody {
      case .data(let data): transmit(request, .bytes(data.dropFirst(Int(clamping: offset))))
      case .file(let url): transmit(request, .file(path: url.path, from: offset))
      case .requested, nil: ask(for: request, from: offset)
      }
    }
    return true
  }

  private func ask(for request: URLRequest, from offset: Int64) {
    note(.asked(.body(request)))
    client?.load(self, needsBodyFor: request, from: offset)
  }

  /// Goes on after the connection was lost; false when that is the load's end.
  func goesOnWithUpload(after failure: TransferFailure, _ error: @autoclosure () -> URLError) -> Bool {
    guard var upload, failure.cause == .connectionLost, machine.isExchanging, response == nil else { return false }
    let order = upload.machine.interrupted()
    guard order != .giveUp else { return false }
    upload.error = error()
    self.upload = upload
    transfer = nil
    perform(order)
    return true
  }

  /// Judges a head that answers the question how much has come, or says that we are wrong about that; nil when it is a
  /// response like any other.
  func uploadOffset(in head: ResponseHead, _ response: HTTPURLResponse) -> TransferFlow? {
    guard var upload else { return nil }
    let order: UploadMachine.Order
    switch upload.machine.step {
    case .whole: return nil
    case .offset:
      order = upload.machine.answered(
        status: head.status, offset: UploadFields.offset(in: head), isComplete: UploadFields.isComplete(in: head))
    case .rest:
      guard head.status == 409 else { return nil }
      order = upload.machine.contradicted()
      if order == .giveUp { return nil }
    }
    self.upload = upload
    switch order {
    case .finish: return nil
    case .ask(let resource):
      let question = UploadFields.question(originalRequest, to: resource)
      setCurrent(question)
      supersede(response, by: question)
    case .append(let resource, let offset):
      let rest = UploadFields.rest(originalRequest, to: resource, from: offset)
      setCurrent(rest)
      supersede(response, by: rest)
    case .giveUp:
      self.upload = nil
      end(upload.error ?? LoadError.unresumable(upload: .gone(head.status), url: currentURL))
    }
    return .proceed
  }

  private func perform(_ order: UploadMachine.Order) {
    guard case .ask(let resource) = order else { return }
    let question = UploadFields.question(originalRequest, to: resource)
    setCurrent(question)
    send(question)
  }

  /// What is needed to go on after this end; nil where that is impossible or not wanted.
  func partialUpload(after error: URLError?) -> PartialUpload? {
    guard let upload, let resource = upload.machine.resource, let error,
      upload.isWanted && error.code == .cancelled || ResumeRules.isWorthKeeping(after: error.code)
    else { return nil }
    return PartialUpload(request: originalRequest, resource: resource, body: givenBody, spool: upload.spool)
  }
}

extension TransferRequest {
  fileprivate var hasContent: Bool { if case .none = body { false } else { true } }
}
