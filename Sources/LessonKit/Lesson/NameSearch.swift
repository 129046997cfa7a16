// SPDX-License-Identifier: Apache-2.0

/// Finds what a person means by a name that is none.
public enum NameSearch {
  /// A candidate for the meaning of a name: how it is shown, what it is called, and its number.
  public typealias Candidate = (label: String, names: [String], number: Int?)

  /// A sentence with the three closest names, behind a space; empty where there are none. A lesson whose number stands in
  /// the name comes first, such as lesson 5 for `lesson-5x`.
  public static func closest(to name: String, _ candidates: [Candidate]) -> Phrase {
    let number = Int(name.filter { ("0"..."9").contains($0) })
    let ranked = candidates.map { candidate in
      let isMeant = number != nil && candidate.number == number
      let distance = candidate.names.map { EditDistance.between(name, $0) }.min() ?? .max
      return (label: candidate.label, distance: isMeant ? 0 : distance)
    }
    let best = ranked.sorted { $0.distance < $1.distance }.prefix(3).map(\.label)
    guard let first = best.first else { return .empty }
    return best.count == 1 ? " The closest is \(first)." : " The closest are \(best.joined(separator: ", "))."
  }

  /// The places of the candidates that a name may mean: those with a name that begins with it, else those with one that holds
  /// it, else those from whose names it differs by the fewest slips, one in four letters at most. A number means only itself.
  public static func meant(by name: String, among candidates: [Candidate]) -> [Int] {
    let wanted = name.lowercased()
    guard !wanted.isEmpty, number(in: wanted) == nil else { return [] }
    func places(_ isMeant: (String) -> Bool) -> [Int] {
      candidates.indices.filter { candidates[$0].names.contains { isMeant($0.lowercased()) } }
    }
    for found in [places { $0.hasPrefix(wanted) }, places { $0.contains(wanted) }] where !found.isEmpty { return found }
    // Two numbers that differ by a digit are two things.
    guard !wanted.contains(where: \.isNumber) else { return [] }
    let slips = candidates.map { $0.names.map { EditDistance.between(wanted, $0) }.min() ?? .max }
    guard let fewest = slips.min(), fewest <= max(1, wanted.count / 4), fewest < wanted.count - 1 else { return [] }
    return candidates.indices.filter { slips[$0] == fewest }
  }

  /// The number in a name that is nothing else, such as `5`, `05` and `lesson-5`.
  public static func number(in name: String) -> Int? {
    let digits = name.lowercased().trimmingPrefix("lesson").drop { "- ".contains($0) }
    return digits.allSatisfy { ("0"..."9").contains($0) } ? Int(digits) : nil
  }

  /// The place of the one candidate that a name means; nil where it means none.
  ///
  /// - Throws: `LessonKitError` with code `unknownName` where it may mean several; its text names them.
  public static func only(meantBy name: String, among candidates: [Candidate]) throws(LessonKitError) -> Int? {
    let found = meant(by: name, among: candidates)
    guard found.count > 1 else { return found.first }
    throw ambiguous(name, found.map { candidates[$0] })
  }

  private static func ambiguous(_ name: String, _ candidates: [Candidate]) -> LessonKitError {
    let shown = candidates.prefix(5).map { Phrase(verbatim: $0.label) }.joined()
    let rest = candidates.count - 5
    let list: Phrase = rest > 0 ? "\(shown) and \(rest) more" : shown
    return LessonKitError(.unknownName, "“\(name)” may mean \(list). Name one of them.")
  }
}

/// How different two names are.
enum EditDistance {
  /// The least number of letters to insert, remove or replace, and of neighbours to exchange, to make one name of the other,
  /// in any case (Levenshtein's distance with Damerau's exchange).
  static func between(_ first: String, _ second: String) -> Int {
    let (left, right) = (Array(first.lowercased()), Array(second.lowercased()))
    var (before, above) = ([Int](), Array(0...right.count))
    for (index, letter) in left.enumerated() {
      var row = [index + 1]
      for column in right.indices {
        var least = min(above[column] + (letter == right[column] ? 0 : 1), above[column + 1] + 1, row[column] + 1)
        if index > 0, column > 0, letter == right[column - 1], left[index - 1] == right[column] {
          least = min(least, before[column - 1] + 1)
        }
        row.append(least)
      }
      (before, above) = (above, row)
    }
    return above[right.count]
  }
}
