// SPDX-License-Identifier: Apache-2.0
import Testing

/// What the loads around broken answers ended with, of the cases of one seed.
struct NeighbourTally {
  let kind: ClientKind
  /// All choices follow from it. A client has the cases of one seed one after the other, so that what one leaves behind
  /// meets the next.
  let seed: UInt64
  /// Each breach as a sentence.
  private(set) var breaches: [String] = []
  private(set) var loads = 0
  private(set) var successes = 0

  static let casesPerSeed = 5

  init(_ kind: ClientKind, seed: UInt64) {
    (self.kind, self.seed) = (kind, seed)
  }

  mutating func breach(_ name: String, _ sentence: String) { breaches.append("\(name): \(sentence)") }

  /// A neighbour has its own body or an error; its own body where its connection is in order. `mayBeDoubted` where this
  /// libcurl shows nothing that tells a whole body from a cut one, so that an error and a time-out are right, too.
  mutating func judge(
    _ name: String, _ path: String, _ end: Ended, body: [UInt8], mustSucceed: Bool, mayBeDoubted: Bool = false
  ) {
    loads += 1
    let isOwn = end.isSuccess && end.status == 200 && end.body == body
    if isOwn { successes += 1 }
    let isDoubted = mayBeDoubted && (end.code == -1005 || end.code == -1001)
    if end.isMissing || end.isSuccess && !isOwn || (end.code == -1001 || mustSucceed && !isOwn) && !isDoubted {
      breach(name, "\(path) ended with \(end)\(mustSucceed ? ", on a connection that is in order" : "")")
    }
  }

  /// The load whose answer is broken ends, at once.
  mutating func judgeBroken(_ name: String, _ end: Ended) {
    if end.isMissing || end.code == -1001 { breach(name, "its load ended with \(end)") }
  }

  /// It ends once.
  mutating func judgeBroken(_ name: String, _ facts: Observation.Facts) {
    if facts.ends > 1 || facts.late > 0 { breach(name, "its load ended \(facts.ends) times") }
  }

  /// No breach, and as many successes as show that the run says something.
  func expectOrder(loadsPerCase: Int) {
    for breach in breaches { Issue.record("\(kind.rawValue), \(breach)") }
    #expect(
      !breaches.isEmpty || loads == Self.casesPerSeed * loadsPerCase && successes * 2 >= loads, "seed \(seed)")
  }
}
