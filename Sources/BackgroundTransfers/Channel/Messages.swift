// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A message of a client to the agent.
package enum ClientMessage: Codable, Equatable, Sendable {
  /// The first message: which session the connection is of.
  case hello(identifier: String, settings: SessionSettings)
  /// Take this task on. For a task that the agent has, the request replaces one without credentials.
  case start(TransferRecord)
  case suspend(UUID)
  case resume(UUID)
  /// The agent forgets the task and removes its file.
  case cancel(UUID)
  /// The agent stops the transfer and sends its resume data; the task stays until it is cancelled.
  case stop(UUID)
  /// The task's description is another one.
  case describe(UUID, String?)
  /// The end of the task was delivered: it can be forgotten.
  case acknowledge(UUID)
  /// The answer to `willBegin`, or credentials for a task that lacks them: nil keeps the task's own request.
  case begin(UUID, RequestRecord?)
  /// The answer to the challenge with the second key, of the task with the first.
  case answer(UUID, UUID, ChallengeReply)
}

/// A message of the agent to a client.
package enum AgentMessage: Codable, Equatable, Sendable {
  /// Tasks that there are; more follow, up to the `welcome`.
  case known([TransferRecord])
  /// The answer to `hello`: the tasks there are, in the order of their numbers, but for those that were `known` before.
  case welcome([TransferRecord])
  /// The answer to `hello` where another program has the session, or where it cannot be kept.
  case refused(code: Int, String)
  /// Another session of the same process has taken this one's place.
  case displaced
  case progress(UUID, TransferCounts)
  case response(UUID, ResponseRecord)
  /// The time to begin has come.
  case willBegin(UUID)
  /// A server or a proxy asks for a credential, or presents a certificate. The transfer waits for the answer.
  case challenge(UUID, ChallengeRecord)
  case ended(UUID, TransferOutcome, TransferCounts)
  /// The answer to `stop`: resume data of a part that lies in the session's folder, or nil where there is none.
  case stopped(UUID, Data?)
  /// The server continues the download, for which the client gave resume data, behind so many bytes of so many in all.
  case resumed(UUID, offset: Int64, expected: Int64)
  /// The task is in the journal: it survives the end of both processes.
  case noted(UUID)
  /// The task is out of the journal.
  case forgotten(UUID)
}

/// A message with the version of this talk, as JSON.
package enum Talk {
  /// Raised by each change that an earlier agent or client would not understand.
  package static let version = 4

  private struct Envelope<Message: Codable>: Codable {
    var version: Int
    var message: Message
  }

  private struct Version: Codable {
    var version: Int
  }

  package static func encode(_ message: some Codable) throws(TransferFault) -> Data {
    do {
      let encoder = JSONEncoder()
      // Escaped, a body's slashes count twice against the longest message.
      encoder.outputFormatting = .withoutEscapingSlashes
      return try encoder.encode(Envelope(version: version, message: message))
    } catch {
      throw TransferFault("A message cannot be written down: \(error)")
    }
  }

  /// The length of a message; the longest there is where it cannot be written down.
  package static func length(of message: some Codable) -> Int {
    do throws(TransferFault) { return try encode(message).count } catch { return .max }
  }

  /// The messages that list the tasks: each far shorter than the longest message, unless a single task takes
  /// more.
  package static func encode(list: [TransferRecord]) throws(TransferFault) -> [Data] {
    var (messages, piece, size): ([Data], [TransferRecord], Int) = ([], [], 0)
    for record in list {
      let length = try encode(record).count
      if size + length > pieceLimit, !piece.isEmpty {
        messages.append(try encode(AgentMessage.known(piece)))
        (piece, size) = ([], 0)
      }
      piece.append(record)
      size += length
    }
    return messages + [try encode(AgentMessage.welcome(piece))]
  }

  private static let pieceLimit = 1024 * 1024

  /// Reads what the other side sent, which may be anything.
  package static func decode<Message: Codable>(_ type: Message.Type, from data: Data) throws(TransferFault) -> Message {
    guard let said = try? JSONDecoder().decode(Version.self, from: data).version else {
      throw TransferFault("A message is no JSON with a version.")
    }
    guard said == version else { throw TransferFault("A message has version \(said), not \(version).") }
    guard let envelope = try? JSONDecoder().decode(Envelope<Message>.self, from: data) else {
      throw TransferFault("A message of version \(version) has no meaning.")
    }
    return envelope.message
  }
}
