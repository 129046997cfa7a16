// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Names each method of a program's delegates that looks like one of the library's and that the library never calls: its
/// name is almost right, its types are others, or its class names too small a protocol. The compiler accepts them all,
/// for a protocol has a body for what a delegate leaves out.
struct DelegateAdvice {
  private let program: MethodScanner
  private let known = DelegateProtocols.known

  init(_ source: String) {
    program = MethodScanner(source)
  }

  /// A sentence for each such method, in the source's order.
  var sentences: [Phrase] { program.methods.compactMap(sentence) }

  private func sentence(_ method: MethodDeclaration) -> Phrase? {
    let protocols = protocols(of: method.owner)
    guard let library = protocols.first else { return nil }
    let candidates = known.methods.filter { DelegateProtocols.belongTogether($0.owner, library) }
    let named = candidates.filter { $0.name == method.name && $0.labels == method.labels }
    guard !named.isEmpty else { return misspelt(method, candidates) }
    let fitting = named.filter { fits(method, $0) }
    guard !fitting.isEmpty else {
      // Another method may take just this: a delegate's “task” in place of “dataTask”.
      let taking = candidates.filter { right in right.types.last == method.types.last }
      let isOther = !named.contains { $0.types.last == method.types.last }
      return isOther ? misspelt(method, taking) ?? mistyped(method, named) : mistyped(method, named)
    }
    guard let lacking = fitting.first, !fitting.contains(where: { protocols.contains($0.owner) }) else { return nil }
    return
      "Line \(method.line): “\(method.selector)” is never called, for it belongs to \(lacking.owner). Name that "
      + "protocol behind \(method.owner)."
  }

  /// The protocols of delegates that a type names, its extensions and the file's own types above it included.
  private func protocols(of type: String) -> Set<String> {
    var (names, waiting): (Set<String>, [String]) = ([], [type])
    while let next = waiting.popLast() {
      for name in program.inherited[next] ?? [] where names.insert(name).inserted { waiting.append(name) }
    }
    return known.all(from: names)
  }

  // MARK: - Types

  private func fits(_ method: MethodDeclaration, _ right: MethodDeclaration) -> Bool {
    let isAnswer = right.types.last != "handler"
    return zip(method.types, right.types).allSatisfy { $0 == $1 || $1 == "handler" }
      && (!isAnswer || method.hasResult == right.hasResult)
  }

  private func mistyped(_ method: MethodDeclaration, _ named: [MethodDeclaration]) -> Phrase? {
    let nearest = named.min { distance(method.types, $0.types) < distance(method.types, $1.types) }
    guard let nearest else { return nil }
    guard let place = method.types.indices.first(where: { method.types[$0] != nearest.types[$0] }) else {
      return
        "Line \(method.line): “\(method.selector)” is never called, for it has a result or lacks one. Declare it as "
        + "\(nearest.owner) does."
    }
    return
      "Line \(method.line): “\(method.selector)” is never called, for its type “\(method.types[place])” should be "
      + "“\(nearest.types[place])”."
  }

  private func distance(_ first: [String], _ second: [String]) -> Int {
    zip(first, second).reduce(0) { $0 + Self.difference($1.0, $1.1) }
  }

  // MARK: - Names

  private func misspelt(_ method: MethodDeclaration, _ candidates: [MethodDeclaration]) -> Phrase? {
    let likely = candidates.compactMap { right in strangeness(of: method, beside: right).map { (right, $0) } }
    guard let right = likely.min(by: { $0.1 < $1.1 })?.0 else { return nil }
    return "Line \(method.line): “\(method.selector)” is never called. The delegate's method is “\(right.selector)”."
  }

  /// How far the names are from one another; nil where a person would not take one for the other.
  private func strangeness(of method: MethodDeclaration, beside right: MethodDeclaration) -> Int? {
    guard let base = Self.distance(method.name, right.name) else { return nil }
    let first = method.labels.first.map { ["session", "connection"].contains($0) ? "_" : $0 }
    let given = [first].compactMap(\.self) + method.labels.dropFirst()
    guard given.count == right.labels.count else {
      let (few, many) = given.count < right.labels.count ? (given, right.labels) : (right.labels, given)
      return base == 0 && few.count >= 3 && Self.isContained(few, in: many) ? 20 * (many.count - few.count) : nil
    }
    var sum = base
    for (one, other) in zip(given, right.labels) {
      guard let distance = Self.distance(one, other) else { return nil }
      sum += distance
    }
    return sum <= right.selector.count / 6 ? sum : nil
  }

  /// How unlike two words are; nil for words that are not confused. One that is the other's beginning is little unlike.
  private static func distance(_ one: String, _ other: String) -> Int? {
    let difference = difference(one, other)
    if difference > 0, min(one.count, other.count) >= 5, one.hasPrefix(other) || other.hasPrefix(one) { return 1 }
    return difference <= max(one.count, other.count) / 2 ? difference : nil
  }

  /// How many letters of the longer word the other one lacks, in any case.
  private static func difference(_ one: String, _ other: String) -> Int {
    let changes = Array(one.lowercased()).difference(from: Array(other.lowercased()))
    return max(changes.insertions.count, changes.removals.count)
  }

  private static func isContained(_ few: [String], in many: [String]) -> Bool {
    var rest = many[...]
    return few.allSatisfy { label in
      guard let place = rest.firstIndex(of: label) else { return false }
      rest = rest[(place + 1)...]
      return true
    }
  }
}
