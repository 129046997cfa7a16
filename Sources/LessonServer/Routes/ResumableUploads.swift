// SPDX-License-Identifier: Apache-2.0

/// A server's side of uploads that can be resumed, as draft-ietf-httpbis-resumable-upload-05 has it: a request with a
/// body gets a 104 that names a resource for the upload, HEAD there tells how much has come, PATCH brings the rest. One
/// object belongs to one server. Over HTTP/1.1 alone.
///
/// What comes is counted and summed up, not kept.
public final class ResumableUploads: Sendable {
  /// One upload.
  final class Upload: Sendable {
    struct State {
      var body = BodyChecksum()
      var isComplete = false
    }
    let state = Monitor(State())

    /// Appends bytes that arrived.
    func take(_ bytes: UnsafeRawBufferPointer) {
      state.withLock { $0.body.update(bytes) }
    }

    /// The answer to a request that brought the end.
    func complete() -> Response {
      let body = state.withLock { state in
        state.isComplete = true
        return state.body
      }
      return .json(UploadAnswer(bytes: body.count, checksum: body.value))
    }
  }

  /// What the server does wrong.
  public enum Fault: Sendable {
    /// It offers nothing: a server that has never heard of the draft.
    case noOffer
    /// It forgets the upload: HEAD is answered with this status.
    case forgotten(Int)
    /// It says that this much has come, whatever has.
    case wrongOffset(String)
    /// The resource it names.
    case location(String)
    /// It reads nothing of the first body before this gate is open.
    case held(String)
  }

  /// Bytes after which the first request, the second and so on are cut by a reset; later ones are not cut.
  private let cuts: [Int64]
  private let fault: Fault?
  private let uploads = Monitor<[Upload]>([])
  private let requests = Monitor(0)

  /// Uploads whose requests with a body are cut after so many bytes each.
  public init(cuts: [Int64] = [], fault: Fault? = nil) {
    (self.cuts, self.fault) = (cuts, fault)
  }

  /// Whether the end of every upload has come, and how many there are.
  public var completed: (Int, of: Int) {
    let all = uploads.withLock { $0 }
    return (all.count { $0.state.withLock { $0.isComplete } }, all.count)
  }

  /// The routes: `path` takes uploads, what lies below it their rests.
  public func routes(_ path: String = "/resumable") -> [Route] {
    [
      Route(path, summary: "an upload that can be resumed", answer: .early { self.begin($0, path) }),
      Route(method: "HEAD", path + "/*", summary: "how much of it has come", answer: .early { self.reportOffset($0) }),
      Route(method: "PATCH", path + "/*", summary: "the rest of it", answer: .early { self.appendRest($0) }),
    ]
  }

  private func begin(_ request: Request, _ path: String) -> Script {
    let upload = Upload()
    let number = uploads.withLock { uploads in
      uploads.append(upload)
      return uploads.count
    }
    var steps: [Step] = []
    if case .noOffer = fault {
    } else if request.head["Upload-Draft-Interop-Version"] == "6", request.head["Upload-Complete"] == "?1" {
      var location = "\(path)/\(number)"
      if case .location(let other) = fault { location = other }
      steps.append(
        .text(
          "HTTP/1.1 104 Upload Resumption Supported\r\nLocation: \(location)\r\nUpload-Draft-Interop-Version: 6\r\n\r\n"
        ))
    }
    if case .held(let gate) = fault { steps.append(.gate(gate)) }
    return Script(steps + receive(upload), readsBodyFirst: false)
  }

  private func receive(_ upload: Upload) -> [Step] {
    let turn = requests.withLock { requests in
      defer { requests += 1 }
      return requests
    }
    let limit = turn < cuts.count ? cuts[turn] : nil
    return [.receive({ upload.take($0) }, atMost: limit), .computed { upload.complete() }]
  }

  private func find(_ request: Request) -> Upload? {
    guard let number = request.head.path.split(separator: "/").last.flatMap({ Int($0) }) else { return nil }
    return uploads.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
  }

  private static func fields(_ count: String, _ isComplete: Bool) -> [HeaderField] {
    [
      HeaderField("Upload-Offset", count), HeaderField("Upload-Complete", isComplete ? "?1" : "?0"),
      HeaderField("Upload-Draft-Interop-Version", "6"), HeaderField("Cache-Control", "no-store"),
    ]
  }

  private func reportOffset(_ request: Request) -> Script {
    if case .forgotten(let status) = fault { return .response(Response(status)) }
    guard let upload = find(request) else { return .response(Response(404)) }
    let state = upload.state.withLock { $0 }
    if case .wrongOffset(let text) = fault { return .response(Response(204, fields: Self.fields(text, false))) }
    return .response(Response(204, fields: Self.fields("\(state.body.count)", state.isComplete)))
  }

  private func appendRest(_ request: Request) -> Script {
    guard let upload = find(request) else { return .response(Response(404)) }
    let count = upload.state.withLock { $0.body.count }
    guard request.head["Content-Type"] == "application/partial-upload", request.head["Upload-Complete"] == "?1",
      request.head["Upload-Offset"] == "\(count)"
    else { return .response(Response(409, fields: Self.fields("\(count)", false))) }
    return Script(receive(upload), readsBodyFirst: false)
  }
}
