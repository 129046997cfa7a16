// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Dispatch
import Foundation
import TestSupport
import URLLoading

/// A client that a test plays, message by message.
final class TalkClient: Sendable {
  let log = EventLog<AgentMessage>()
  private let channel: Channel
  private let queue = DispatchQueue(label: "client")

  static let settings = SessionSettings(WireSettings())

  /// Connects, and waits for the list of tasks.
  init(_ place: BackgroundPlace, identifier: String, _ settings: SessionSettings = settings) async throws {
    channel = Channel(try place.places.connect(), queue: queue)
    queue.sync {
      channel.open { [log] data in
        if let message = try? Talk.decode(AgentMessage.self, from: data) { log.append(message) }
      } onEnd: { _ in
      }
    }
    try say(.hello(identifier: identifier, settings: settings))
    try await log.wait { $0.contains(where: \.isWelcome) }
  }

  func say(_ message: ClientMessage) throws {
    let fault = queue.sync { () -> TransferFault? in
      do throws(TransferFault) { try channel.send(message) } catch { return error }
      return nil
    }
    if let fault { throw fault }
  }

  /// The tasks of the welcome.
  var known: [TransferRecord] {
    log.all.flatMap { message -> [TransferRecord] in
      guard case .welcome(let tasks) = message else { return [] }
      return tasks
    }
  }

  func close() { queue.sync { channel.close() } }

  static func task(_ url: URL, resume: Data? = nil) -> TransferRecord {
    let request = RequestRecord(url: url, method: "GET", fields: [:], timeout: 3_600, body: nil)
    var task = TransferRecord(key: UUID(), number: 1, request: request, upload: nil, created: Date())
    task.resume = resume
    return task
  }

  /// Waits for the end of a task.
  func end(of key: UUID) async throws -> TransferOutcome? {
    try await log.wait { $0.contains { $0.end(of: key) != nil } }.compactMap { $0.end(of: key) }.first
  }
}

extension AgentMessage {
  fileprivate var isWelcome: Bool {
    if case .welcome = self { true } else { false }
  }

  fileprivate func end(of key: UUID) -> TransferOutcome? {
    if case .ended(let ended, let outcome, _) = self, ended == key { outcome } else { nil }
  }
}
