// SPDX-License-Identifier: Apache-2.0
import SessionAPI
import TestSupport
import Testing

/// A way to load with an API, and for a session the configuration it has.
enum ClientKind: String, CaseIterable, Sendable, Codable, CustomTestStringConvertible {
  case connection = "NSURLConnection"
  case asynchronous = "sendAsynchronousRequest"
  case ephemeralData = "data task, ephemeral"
  case defaultData = "data task, default"
  case ephemeralHandler = "data task with handler, ephemeral"
  case ephemeralDownload = "download task, ephemeral"
  case defaultDownload = "download task, default"

  /// Those whose delegate sees a body as it comes, or gets it in a file.
  static let streaming: [ClientKind] = [
    .connection, .ephemeralData, .defaultData, .ephemeralDownload, .defaultDownload,
  ]

  var testDescription: String { rawValue }

  /// A user of this kind.
  func makeClient() -> Client {
    switch self {
    case .connection: Client(.connection)
    case .asynchronous: Client(.asynchronous)
    case .ephemeralData: Client(.dataTask)
    case .defaultData: Client(.dataTask, base: .default)
    case .ephemeralHandler: Client(.handlerTask)
    case .ephemeralDownload: Client(.downloadTask)
    case .defaultDownload: Client(.downloadTask, base: .default)
    }
  }
}

extension Client {
  /// Starts a load that ends after some seconds of silence. Where that end is the one it gets, the client has not
  /// understood what the server did; other tests may keep the server's part waiting for 10 of them.
  func start(_ text: String, _ change: (inout URLRequest) -> Void = { _ in }) throws -> Observation {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.timeoutInterval = TestMachine.isSanitized ? 90 : 30
    change(&request)
    return start(request)
  }
}

extension Observation {
  /// Waits for the end, and returns it.
  func ending() async -> Ended {
    let hasEnded = await hasEnded(within: .seconds(TestMachine.patience))
    return hasEnded ? Ended(facts) : Ended(isMissing: true)
  }
}

/// The end of a load, as a report shows it.
struct Ended: Sendable, CustomStringConvertible {
  var isMissing = false
  /// The error's code; nil for a success.
  var code: Int?
  var status: Int?
  var body: [UInt8] = []

  init(isMissing: Bool) { self.isMissing = isMissing }

  init(_ facts: Observation.Facts) {
    code = facts.error.map { ($0 as? URLError)?.errorCode ?? 0 }
    (status, body) = (facts.status, facts.body)
  }

  var isSuccess: Bool { !isMissing && code == nil }

  var description: String {
    if isMissing { return "no end" }
    let text = String(decoding: body.prefix(60), as: UTF8.self)
    return "\(code.map { "error \($0)" } ?? "success") \(status ?? 0), \(body.count) bytes '\(text)'"
  }
}
