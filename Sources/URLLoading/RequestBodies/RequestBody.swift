// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// The body of a load's requests, as often as it has to be sent. Where its bytes come from, `BodySupply` decides. Of the I/O
/// thread.
struct RequestBody {
  /// The step that gives a request its body.
  enum Step {
    /// This body; nil for none.
    case send(TransferBody?)
    /// The file at this path, which has to be opened.
    case open(String)
    /// The client has to be asked for a stream.
    case ask
    /// The body cannot be sent again.
    case fail
  }

  /// The body that stands in place of the request's own body.
  private(set) var given: LoadBody?
  private var supply = BodySupply()
  private var stream: BodyStream?

  init(_ given: LoadBody?) {
    self.given = given
  }

  /// The body of an earlier upload is found again.
  mutating func replace(by body: LoadBody) {
    given = body
  }

  /// The load turns to a request that has no body.
  mutating func drop() {
    given = nil
  }

  /// Where a body is before it is sent.
  enum Place {
    /// In memory, as is a body that is none.
    case memory
    case file
    /// Nowhere: its bytes come as they are sent.
    case stream
  }

  /// Where the body of `request` is.
  func place(in request: @autoclosure () -> URLRequest) -> Place {
    switch given {
    case .data: .memory
    case .file: .file
    case .requested: .stream
    case nil: request().flowingBody == nil ? .memory : .stream
    }
  }

  /// `request` is to be sent; `keeps` says whether a stream is kept as it is sent.
  mutating func wanted(by request: URLRequest, keeps: @autoclosure () -> Bool) -> Step {
    let source: BodySupply.Given
    switch given {
    case .data, .file: source = .whole
    case .requested: source = .requested
    case nil: source = request.flowingBody.map { .stream($0) } ?? .whole
    }
    return step(supply.wanted(source), request, keeps: keeps())
  }

  /// How many bytes of a stream are kept to be sent again.
  var bytesKept: Int64 { stream?.bytesRead ?? 0 }

  /// The client has answered.
  mutating func bodyProvided(_ body: NewBody, for request: URLRequest, keeps: @autoclosure () -> Bool) -> Step {
    step(supply.bodyProvided(body, hasCopy: stream?.isKept ?? false), request, keeps: keeps())
  }

  /// The connection was dead, and the body had been begun: whether to try again.
  mutating func connectionLost() -> Bool { supply.connectionLost() }

  private mutating func step(
    _ action: BodySupply.Action, _ request: URLRequest, keeps: @autoclosure () -> Bool
  ) -> Step {
    switch action {
    case .send: firstBody(of: request, keeps: keeps())
    case .sendNew(let stream): .send(body(from: stream, of: request, keeps: keeps()))
    case .sendCopy: .send(self.stream.map { body(from: $0, of: request) })
    case .ask: .ask
    case .fail: .fail
    }
  }

  private mutating func firstBody(of request: URLRequest, keeps: @autoclosure () -> Bool) -> Step {
    switch given {
    case .data(let data): return .send(.bytes(data))
    case .file(let url): return .open(url.path)
    case .requested, nil: break
    }
    if let stream = request.flowingBody { return .send(body(from: stream, of: request, keeps: keeps())) }
    return .send(request.bodyInMemory.map { .bytes($0) })
  }

  private mutating func body(from stream: InputStream, of request: URLRequest, keeps: Bool) -> TransferBody {
    let new = BodyStream(stream, keeps: keeps)
    self.stream = new
    return body(from: new, of: request)
  }

  private func body(from stream: BodyStream, of request: URLRequest) -> TransferBody {
    let length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    return .source(StreamBodySource(stream), length: length.flatMap { $0 >= 0 ? $0 : nil })
  }
}
