// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation

/// Where one task of the agent stands, and what follows from each fact: events in, actions out. Pure: no clock, lock or I/O.
///
/// Problem: client, server, clock and disk all may stop a task, at any moment and several at once; what the end of its
/// transfer means then depended on which of many sets the task was in. Choice: one phase, whose payload is what the end of
/// the transfer will mean, written in this file alone; all else that is known of a task lies beside it and goes with it.
struct AgentTask {
  var record: TransferRecord
  private(set) var phase: Phase
  /// True if no journal on the disk has it yet.
  private(set) var isUnwritten = false
  /// When attempts are made.
  private var rule = RetryRule()
  /// The server's last answer.
  var response: ResponseRecord?
  /// The last requests that were sent for it, and how many redirects were followed.
  var exchanges: (sent: [Data], redirects: Int)?

  /// A task that a client submits (`isNew`), or that a journal has.
  init(_ record: TransferRecord, isNew: Bool) {
    (self.record, isUnwritten) = (record, isNew)
    phase = record.outcome == nil ? .waiting : .ended
  }
}

// MARK: - Facts that move nothing

extension AgentTask {
  /// True if it is to be loaded now or later, and lacks nothing.
  var wantsToLoad: Bool { record.outcome == nil && !record.isSuspended && record.lacksCredentials != true }

  /// So many bytes are there.
  mutating func count(_ counts: TransferCounts) {
    record.counts = counts
    rule.received(counts.received)
  }

  /// The requests of an attempt, of which the last ones are kept.
  mutating func note(_ requests: [Data], redirects: Int) {
    let known = exchanges ?? ([], 0)
    var sent = Array((known.sent + requests).suffix(Self.exchangesLimit))
    // A server may send heads of any length; the message of an end has a limit.
    while sent.reduce(0, { $0 + $1.count }) > Self.exchangesSize { sent.removeFirst() }
    exchanges = (sent, known.redirects + redirects)
  }

  private static let exchangesLimit = 32
  /// Bytes.
  private static let exchangesSize = 1024 * 1024
}

// MARK: - Events

extension AgentTask {
  /// Handles an event and returns the actions for it, in their order.
  mutating func handle(_ event: Event, _ around: Surroundings) -> [Action] {
    switch event {
    case .began: return proceed(around)
    case .answerLost: return phase == .waiting ? ended(by: .endUnanswered) : []
    case .timeCame:
      guard phase == .timed else { return [] }
      phase = .waiting
      return proceed(around)
    case .timeEnded: return timeEnded()
    case .clientCame: return clientCame(around)
    case .clientLeft: return clientLeft(around)
    case .suspended: return suspended(true, around)
    case .resumed: return suspended(false, around)
    case .stopped: return stopped()
    case .allowed(let request): return allowed(request, around)
    case .repeated(let request): return repeated(request, around)
    case .written:
      guard isUnwritten else { break }
      isUnwritten = false
      return record.request.mayRepeat ? [] : proceed(around)
    case .notWritten: return notWritten()
    case .challenged(let challenge, let known): return challenged(challenge, known, around)
    case .answered(let key, let reply): return answered(key, reply)
    case .transferEnded(let end): return transferEnded(end, around)
    }
    return []
  }

  /// Begins, unless it is too early, or already begun, or suspended, or not all is there.
  private mutating func proceed(_ around: Surroundings) -> [Action] {
    guard phase == .waiting, !record.isSuspended, record.lacksCredentials != true, !around.lacksCredentials else {
      return []
    }
    // Lost before the journal has it, the task comes again.
    guard !isUnwritten || record.request.mayRepeat else { return [] }
    guard let date = record.earliestBegin else {
      phase = .transferring(.none)
      return [.load]
    }
    guard date <= around.now else {
      phase = .timed
      return [.wait(until: date)]
    }
    guard !around.isAttended else {
      phase = .asked
      return [.ask]
    }
    record.earliestBegin = nil
    phase = .transferring(.none)
    return [.load, .save]
  }

  private mutating func timeEnded() -> [Action] {
    switch phase {
    case .waiting, .timed, .asked: return ended(by: .expire)
    case .transferring, .challenged: return stopLoad(.expire)
    case .ended, .handedOver: return []
    }
  }

  /// A transfer that runs is stopped before anything follows.
  private mutating func stopLoad(_ intent: Intent) -> [Action] {
    switch phase {
    case .transferring(let other): phase = .transferring(max(intent, other))
    case .challenged(let challenge, let other): phase = .challenged(challenge, max(intent, other))
    case .waiting, .timed, .asked, .ended, .handedOver: return []
    }
    return [.stopLoad]
  }

  private mutating func suspended(_ isSuspended: Bool, _ around: Surroundings) -> [Action] {
    guard record.isSuspended != isSuspended else { return [] }
    record.isSuspended = isSuspended
    switch phase {
    case .transferring, .challenged: return [.save, isSuspended ? .suspendLoad : .resumeLoad]
    case .handedOver: phase = .waiting
    case .waiting, .timed, .asked, .ended: break
    }
    return [.save] + proceed(around)
  }

  private mutating func notWritten() -> [Action] {
    guard isUnwritten else { return [] }
    isUnwritten = false
    return intent == nil ? [.refuse] : stopLoad(.refuse)
  }

  /// The meaning of the end of the transfer that runs; nil where none does.
  private var intent: Intent? {
    switch phase {
    case .transferring(let intent), .challenged(_, let intent): intent
    case .waiting, .timed, .asked, .ended, .handedOver: nil
    }
  }

  private mutating func transferEnded(_ end: TransferEnd, _ around: Surroundings) -> [Action] {
    guard let intent else { return [] }
    switch (end, intent) {
    case (.success, _), (.failure, .none), (.lostPart, .none): return ended(end, around)
    case (_, .expire): return ended(by: .expire)
    case (_, .handOver): return handOver()
    case (_, .refuse): return ended(by: .refuse)
    }
  }

  private mutating func ended(by action: Action) -> [Action] {
    phase = .ended
    return [action]
  }

  /// Nobody has stopped the transfer: it succeeded, or there is another attempt, or not.
  private mutating func ended(_ end: TransferEnd, _ around: Surroundings) -> [Action] {
    switch end {
    case .success: return ended(by: .end)
    case .lostPart:
      // The download begins anew.
      phase = .waiting
      return [.dropPart] + proceed(around)
    case .failure(let isOfNetwork, let isInTime):
      let delay = rule.failed(
        isOfNetwork: isOfNetwork, received: record.counts.received, now: around.now, isInTime: isInTime)
      guard let delay else { return ended(by: .end) }
      phase = .timed
      return [.pause(seconds: delay)]
    }
  }
}

// MARK: - The client

extension AgentTask {
  private mutating func clientCame(_ around: Surroundings) -> [Action] {
    let news: [Action] = response == nil ? [] : [.repeatResponse]
    switch phase {
    case .asked: return news + [.ask]
    case .challenged(let challenge, _): return news + [.put(challenge)]
    case .waiting, .timed, .transferring, .ended, .handedOver: return news + proceed(around)
    }
  }

  /// A new client says again what it wants. What this one has not answered is answered by default, unless that needs a client.
  private mutating func clientLeft(_ around: Surroundings) -> [Action] {
    switch phase {
    case .asked:
      phase = .waiting
      return proceed(around)
    case .transferring(.handOver): phase = .transferring(.none)
    case .challenged(let challenge, let intent):
      let intent = intent == .handOver ? .none : intent
      phase = record.needsClient == true ? .challenged(challenge, intent) : .transferring(intent)
      return record.needsClient == true ? [] : [.answer(challenge, .performDefault)]
    case .waiting, .timed, .transferring, .ended, .handedOver: break
    }
    return []
  }

  private mutating func stopped() -> [Action] {
    switch phase {
    case .waiting, .timed, .asked, .handedOver: handOver()
    case .transferring, .challenged: stopLoad(.handOver)
    case .ended: [.handOverNothing]
    }
  }

  /// Should the agent end before the client has the part, the client asks again.
  private mutating func handOver() -> [Action] {
    phase = .handedOver
    record.isSuspended = true
    return [.handOver]
  }

  private mutating func allowed(_ request: RequestRecord?, _ around: Surroundings) -> [Action] {
    guard phase == .asked else {
      guard record.lacksCredentials == true else { return [] }
      // Credentials that the request still lacks are asked for by a challenge.
      record.needsClient = true
      return repeated(request ?? record.request, around)
    }
    phase = .waiting
    record.request = request ?? record.request
    record.earliestBegin = nil
    return [.save] + proceed(around)
  }

  private mutating func repeated(_ request: RequestRecord, _ around: Surroundings) -> [Action] {
    guard record.lacksCredentials == true else { return [] }
    (record.request, record.lacksCredentials) = (request, nil)
    return [.save] + proceed(around)
  }

  /// Challenges are put to the client while there is one. Without a client default handling decides, unless the client has
  /// answered a challenge of the same task before: what it gave then is used again, and where this process does not have it
  /// the task waits for a client. Else a task that a new agent resumes would end with a 401, or with a server that is not
  /// trusted.
  private mutating func challenged(
    _ challenge: ChallengeRecord, _ known: CredentialRecord?, _ around: Surroundings
  ) -> [Action] {
    guard let intent else { return [] }
    phase = .transferring(intent)
    if !around.isAttended {
      if challenge.failures == 0, let known { return [.answer(challenge, .use(known))] }
      guard record.needsClient == true else { return [.answer(challenge, .performDefault)] }
    }
    phase = .challenged(challenge, intent)
    return around.isAttended ? [.put(challenge)] : []
  }

  /// The client's answer; one to an earlier challenge does nothing.
  private mutating func answered(_ key: UUID, _ reply: ChallengeReply) -> [Action] {
    guard case .challenged(let challenge, let intent) = phase, challenge.key == key else { return [] }
    phase = .transferring(intent)
    switch reply {
    case .use, .trustServer:
      record.needsClient = true
      return [.save, .answer(challenge, reply)]
    case .performDefault, .useNone, .rejectSpace, .cancel: return [.answer(challenge, reply)]
    }
  }
}
