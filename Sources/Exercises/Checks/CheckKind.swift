// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// A kind of check. A value is one check of a manifest: its subject, with its bound.
///
/// A kind is whole or does not compile: nothing answers for one that lacks a member.
protocol CheckKind: Sendable {
  /// Its name in a manifest.
  static var name: String { get }
  /// The keys of its own, beside those that every check has.
  static var keys: Set<String> { get }
  /// True if it is seen from outside of the program: by the server, on the disk, by the kernel.
  static var isOutside: Bool { get }
  /// The subject of the check.
  var title: Phrase { get }
  /// The requirement of the check, in words that do not depend on a run's seed.
  var wanted: Phrase { get }

  /// Reads a check's map.
  init(_ map: ManifestNode) throws(LessonKitError)
  /// Judges one run.
  func judge(_ facts: RunFacts) -> Judgement
}

/// A check whose subject a drawing of a run shows.
protocol DrawnCheck: CheckKind {
  /// Where the drawing of this run shows it.
  func mark(_ facts: RunFacts) -> FigureMark
}

/// The finding of one run about one check.
struct Judgement: Sendable, Hashable {
  /// The result of the measurement.
  var measured: Phrase
  /// True if it keeps to what is wanted.
  var holds: Bool
  init(_ measured: Phrase, _ holds: Bool) { (self.measured, self.holds) = (measured, holds) }
  init(bytes: Int, atMost most: Int) { self.init("\(ByteWords.text(bytes))", bytes <= most) }
  init(count: Int?, atMost most: Int) { self = count.map { Judgement("\($0)", $0 <= most) } ?? .notMeasured }
  init(seconds: Double, atMost most: Double) { self.init("\(seconds.hundredths) s", seconds <= most) }
  init(each requests: [RequestSeen], _ isRight: (RequestSeen) -> Bool) {
    let right = requests.count(where: isRight)
    self.init("in \(right) of \(Phrase.count(requests.count, "request"))", right == requests.count && right > 0)
  }

  static let notMeasured = Judgement("this was not measured", false)
  static let notPrinted = Judgement("nobody printed that", false)
  static let noLoad = Judgement("no load was started", false)
}

/// The kinds of checks that a manifest may name.
enum CheckKinds {
  static let all: [any CheckKind.Type] = [
    RequestsCheck.self, AnsweredCheck.self, WholeCheck.self, SocketsCheck.self,
    SentCheck.self, LargestCheck.self, ReceivedCheck.self, CarriedCheck.self,
    HeaderCheck.self, WithoutHeaderCheck.self, ValuesCheck.self, SequenceCheck.self, UnspokenCheck.self,
    AtOnceCheck.self, LastingCheck.self, OverCheck.self, ApartCheck.self,
    FileCheck.self, FilesCheck.self, LeftCheck.self, OpensCheck.self,
    GrowthCheck.self, MemoryLeftCheck.self, TimeCheck.self, ProcessorCheck.self,
    ThreadsCheck.self, ThreadsLeftCheck.self, OwnThreadsCheck.self, CallbackThreadsCheck.self, WakeupsCheck.self,
    MainGapCheck.self, CallbacksOnMainCheck.self, StartsOnMainCheck.self, MainWakeupsCheck.self,
    ResultCheck.self, ResultsCheck.self, LabelCheck.self, ProgressCheck.self, TouchedCheck.self,
    LoadsCheck.self, APICheck.self, PrintedCheck.self, GoesOnCheck.self,
  ]
  private static let common: Set = ["id", "points", "case", "with", "kind"]

  /// Reads a check's map by the kind that it names.
  static func read(_ map: ManifestNode) throws(LessonKitError) -> any CheckKind {
    let kind = try map.need("kind")
    let name = try kind.text()
    guard let type = all.first(where: { $0.name == name }) else {
      throw kind.wrong("there is no kind of check “\(name)”")
    }
    try map.allowOnly(common.union(type.keys))
    return try type.init(map)
  }
}

extension Double {
  /// The number with two decimals, as a person reads seconds.
  var hundredths: String { String(format: "%.2f", self) }
}

/// How many of something there may be.
struct Bound: Sendable {
  static let keys: Set = ["exactly", "at_least", "at_most"]
  let least: Int?
  let most: Int?
  init(_ map: ManifestNode) throws(LessonKitError) {
    let exactly = try map.find("exactly")?.number(in: 0...100_000)
    least = try map.find("at_least")?.number(in: 0...100_000) ?? exactly
    most = try map.find("at_most")?.number(in: 0...100_000) ?? exactly
    guard least != nil || most != nil else { throw map.wrong("here belongs one of exactly, at_least and at_most") }
  }

  func contains(_ number: Int) -> Bool { number >= least ?? .min && number <= most ?? .max }
  func judge(_ number: Int) -> Judgement { Judgement("\(number)", contains(number)) }

  var words: Phrase {
    switch (least, most) {
    case (let least?, let most?) where least == most: "exactly \(least)"
    case (let least?, let most?): "\(least) to \(most)"
    case (let least?, nil): "at least \(least)"
    case (nil, let most?): "at most \(most)"
    case (nil, nil): .empty
    }
  }
}

/// A check that bounds a number of something.
protocol CountedCheck: CheckKind {
  var bound: Bound { get }
  func count(_ facts: RunFacts) -> Int
}

extension CountedCheck {
  var wanted: Phrase { bound.words }
  func judge(_ facts: RunFacts) -> Judgement { bound.judge(count(facts)) }
}

/// One of which a manifest says the bound alone.
protocol BoundCheck: CountedCheck {
  init(bound: Bound)
}

extension BoundCheck {
  static var keys: Set<String> { Bound.keys }
  init(_ map: ManifestNode) throws(LessonKitError) { self.init(bound: try Bound(map)) }
}
