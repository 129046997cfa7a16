// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// The behaviour of each member of the APIs, ours and the toolchain's, each cell with its evidence. `Scripts/behaviour`
/// measures it.
public struct BehaviourTable: Codable, Sendable, Hashable {
  /// The behaviour of one implementation.
  public struct Cell: Codable, Sendable, Hashable {
    /// True if it does what the rule says.
    public enum Verdict: String, Codable, Sendable, Hashable {
      /// It does.
      case yes
      /// It has no such member.
      case no
      /// It does something else.
      case differs
      /// It was not measured.
      case unknown
    }

    /// True if it does what the rule says.
    public var verdict: Verdict
    /// The answer that was measured.
    public var answer: String
    /// The probe or the list of declarations that shows it.
    public var evidence: String
  }

  /// One member or behaviour.
  public struct Row: Codable, Sendable, Hashable {
    /// The row's name.
    public var id: String
    /// The feature that it belongs to, such as `URLSessionConfiguration`.
    public var feature: String
    /// The member or the behaviour.
    public var member: String
    /// Apple's rule in a sentence.
    public var rule: String
    /// Where the rule stands.
    public var source: String
    /// The behaviour of our library.
    public var ours: Cell
    /// The behaviour of the toolchain's.
    public var toolchain: Cell
  }

  /// The rows of one feature, counted.
  public struct FeatureSum: Sendable, Hashable {
    /// The feature.
    public var feature: String
    /// How many rows there are.
    public var rows: Int
    /// In how many of them ours does what the rule says.
    public var ours: Int
    /// In how many of them the toolchain's does.
    public var toolchain: Int
  }

  /// The file below the folder of lessons.
  public static let file = "behaviour.json"

  /// The version of the form.
  public var format: Int
  /// The toolchain that was measured, such as `Swift 6.3.1`.
  public var toolchain: String
  /// The day it was measured, ISO 8601.
  public var measured: String
  /// The rows; those of one feature stand together.
  public var rows: [Row]

  /// Reads the table from the folder of lessons.
  ///
  /// - Throws: `LessonKitError` with code `unreadable`.
  public init(below root: URL) throws(LessonKitError) {
    let file = root.appendingPathComponent(Self.file)
    guard let data = try? Data(contentsOf: file), let table = try? JSONDecoder().decode(Self.self, from: data) else {
      throw LessonKitError(.unreadable, "\(file.path) is missing or damaged. Scripts/behaviour writes it anew.")
    }
    self = table
  }

  /// The features, in the order of the table.
  public var features: [String] {
    rows.map(\.feature).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The rows of one feature, named whatever the case of its letters; nil where there is none.
  public func only(_ feature: String) -> BehaviourTable? {
    var copy = self
    copy.rows = rows.filter { $0.feature.lowercased() == feature.lowercased() }
    return copy.rows.isEmpty ? nil : copy
  }

  /// The sums of each feature's rows.
  public var sums: [FeatureSum] {
    features.map { feature in
      let rows = rows.filter { $0.feature == feature }
      return FeatureSum(
        feature: feature, rows: rows.count, ours: rows.count { $0.ours.verdict == .yes },
        toolchain: rows.count { $0.toolchain.verdict == .yes })
    }
  }

  /// How many rows of each column are as the rule says.
  public var sum: Phrase {
    let (ours, theirs) = (rows.count { $0.ours.verdict == .yes }, rows.count { $0.toolchain.verdict == .yes })
    return
      "\(rows.count) rows: ours as documented in \(ours), the toolchain’s (\(toolchain)) in \(theirs); measured \(measured)"
  }
}

extension BehaviourTable.Cell {
  /// The cell as a person reads it: `yes`, `no`, `differs: -1` or `unknown`.
  var words: Phrase {
    switch verdict {
    case .yes: "yes"
    case .no: "no"
    case .differs: "differs: \(answer)"
    case .unknown: "unknown"
    }
  }
}
