// SPDX-License-Identifier: Apache-2.0

/// Something that belongs to a lesson and has an id there.
struct Named<Value> {
  var lesson: String
  var id: String
  var value: Value

  var name: String { "\(lesson) \(id)" }
}

/// The values that two runs have in common by name.
struct Paired<Value> {
  private let both: [(later: Named<Value>, earlier: Value)]

  init(_ before: [Named<Value>], _ after: [Named<Value>]) {
    let known = Dictionary(before.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    both = after.compactMap { later in known[later.name].map { (later, $0) } }
  }

  var count: Int { both.count }

  /// An entry for each pair that changed.
  func entries(_ changes: (Value, Value) -> [RunComparison.Change]) -> [RunComparison.Entry] {
    both.compactMap { later, earlier in
      let changes = changes(earlier, later.value)
      return changes.isEmpty ? nil : RunComparison.Entry(lesson: later.lesson, id: later.id, changes: changes)
    }
  }
}
