// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation

/// The words of the machine: where a task stands, what happens to it, what is to be done.
extension AgentTask {
  enum Phase: Equatable {
    /// Nothing is under way; it begins as soon as nothing stands against it.
    case waiting
    /// A timer runs: until its earliest begin, or through the pause behind a failed attempt.
    case timed
    /// The client was asked whether it shall begin.
    case asked
    case transferring(Intent)
    /// The transfer waits for the client's answer to this challenge.
    indirect case challenged(ChallengeRecord, Intent)
    /// Its end is to be delivered, and then acknowledged.
    case ended
    /// The client has what there was of it, and will cancel it, or continue it.
    case handedOver
  }

  /// The meaning of the end of a transfer that did not succeed. One that weighs more takes the place of the others.
  enum Intent: Int, Comparable {
    /// It failed: it is tried again, or is over.
    case none
    /// Its time is over.
    case expire
    /// The client gets the part.
    case handOver
    /// The disk takes no journal: the client gets the reason, and the part.
    case refuse

    static func < (one: Intent, other: Intent) -> Bool { one.rawValue < other.rawValue }
  }

  /// The other facts that the session knows.
  struct Surroundings {
    /// True if there is a client.
    var isAttended: Bool
    /// True if the session's settings were read from a journal, without their credentials.
    var lacksCredentials: Bool
    var now: Date
  }

  /// An event that has happened.
  enum Event {
    /// The task is there: from a client, or from a journal.
    case began
    /// The agent before this one marked the task as ended, and was killed before it wrote the end into the journal.
    case answerLost
    /// The timer of `wait` or `pause` has run out.
    case timeCame
    /// The time for the whole task is over.
    case timeEnded
    case clientCame
    case clientLeft
    case suspended
    case resumed
    /// The client wants what there is of it.
    case stopped
    /// The client's answer to `ask`, or to a task that lacks credentials.
    case allowed(RequestRecord?)
    /// The client gives the request of the task again.
    case repeated(RequestRecord)
    /// The disk has taken the journal.
    case written
    /// The disk takes none.
    case notWritten
    /// `known` is what a client has answered to such a challenge before.
    indirect case challenged(ChallengeRecord, known: CredentialRecord?)
    case answered(UUID, ChallengeReply)
    case transferEnded(TransferEnd)
  }

  /// How a transfer ended.
  enum TransferEnd: Equatable {
    case success
    /// The part that it was to continue is not what it was.
    case lostPart
    case failure(isOfNetwork: Bool, isInTime: Bool)
  }

  /// An action to take.
  enum Action: Equatable {
    /// Write the journal: the record has changed.
    case save
    /// Have `timeCame` come at this time of the clock on the wall.
    case wait(until: Date)
    /// Keep what the transfer left, and have `timeCame` come after so many seconds.
    case pause(seconds: Double)
    /// Ask the client whether the task shall begin.
    case ask
    /// Make an attempt.
    case load
    /// Forget the part.
    case dropPart
    case suspendLoad
    case resumeLoad
    /// End the load and keep its part.
    case stopLoad
    /// Say what the server has answered so far.
    case repeatResponse
    /// Put the challenge to the client.
    case put(ChallengeRecord)
    case answer(ChallengeRecord, ChallengeReply)
    /// Give the client the part.
    case handOver
    /// Say that there is none.
    case handOverNothing
    /// The task has ended, with what the transfer left.
    case end
    /// It has ended because its time is over.
    case expire
    /// The server answered, and the agent that read the answer was killed before it wrote that down: the task ends with -997.
    case endUnanswered
    /// The task is forgotten, and the client gets the reason.
    case refuse
  }
}
