// SPDX-License-Identifier: Apache-2.0
import LessonKit
import Pitfalls

extension PitfallSeen {
  /// Collects the pitfalls that these runs showed, each once, the worst first.
  static func of(_ runs: [RunFacts]) -> [PitfallSeen] {
    var known: [Pitfall: PitfallSeen] = [:]
    for seen in runs.flatMap({ $0.run.result.pitfalls ?? [] })
    where known[seen.pitfall].map({ seen.grade < $0.grade }) ?? true {
      known[seen.pitfall] = seen
    }
    return Pitfall.allCases.compactMap { known[$0] }.sorted { $0.grade < $1.grade }
  }

  /// Tells the program's author the harm of the pitfall and its cure.
  var advice: Phrase { "It has the pitfall \(pitfall.rawValue): \(harm) \(cure)" }
}
