// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// How lesson 19 settles its checks: each policy with nothing stored, with a fresh response and with a stale one.
extension Caching {
  /// What came of one load.
  enum Source: Hashable {
    /// The server's new answer; the request has this field, where it matters.
    case server(field: String? = nil)
    /// The server's 304, and the stored body.
    case revalidated
    /// The stored body, without a request.
    case store
    /// An error, without a request.
    case failure
  }

  static let policyChecks: [Claim] = [
    check("P19-01", "protocol", nothing: .server(), fresh: .store, stale: .revalidated),
    check("P19-02", "reload", nothing: .server(), fresh: .server(), stale: .server()),
    check(
      "P19-03", "reload-all", nothing: .server(field: "no-cache"), fresh: .server(field: "no-cache"),
      stale: .server(field: "no-cache")),
    check("P19-04", "else-load", nothing: .server(), fresh: .store, stale: .store),
    check("P19-05", "dont-load", nothing: .failure, fresh: .store, stale: .store),
    check("P19-06", "revalidate", nothing: .server(), fresh: .revalidated, stale: .revalidated),
  ]

  private static func check(
    _ id: String, _ policy: String, nothing: Source, fresh: Source, stale: Source
  ) -> Claim {
    let names = ["connection/policy-\(policy)", "session/policy-\(policy)"]
    return Claim(id, needs: names) { results, findings in
      for name in names {
        let run = try results.first(name)
        for (number, state, source) in [(1, "nothing stored", nothing), (2, "fresh", fresh), (3, "stale", stale)] {
          findings.note(
            "\(Phrase(verbatim: name)), \(Phrase(key: state))", run.words(state, number), source.words,
            run.matches(source, state, number))
        }
      }
    }
  }
}

extension Caching.Source {
  fileprivate var words: Phrase {
    switch self {
    case .server(let field): field.map { "a new answer, asked with Cache-Control: \($0)" } ?? "a new answer"
    case .revalidated: "asked with the validator, 304, the stored answer"
    case .store: "no request, the stored answer"
    case .failure: "no request, an error"
    }
  }
}

extension ExampleRun {
  /// The requests for the address of this state beyond the one that stored the response.
  private func asked(_ number: Int) -> ArraySlice<RequestSeen> {
    requests.filter { $0.target.hasSuffix("n=\(number)") }.dropFirst(number == 1 ? 0 : 1)
  }

  private func answer(_ state: String) -> String? {
    line("\(state): ").map { String($0.text.dropFirst(state.count + 2)) }
  }

  /// True if the load was given the stored answer.
  private func isStored(_ state: String) -> Bool {
    answer(state) != nil && answer(state) == answer("\(state), first")
  }

  fileprivate func words(_ state: String, _ number: Int) -> Phrase {
    let answer = Phrase.quoted(answer(state) ?? "?")
    guard let request = asked(number).first else {
      return isStored(state) ? "no request, the stored answer" : "no request, \(answer)"
    }
    if request.status == 304 {
      return isStored(state)
        ? "asked with the validator, 304, the stored answer" : "asked with the validator, 304, \(answer)"
    }
    return request.fields["cache-control"].map { "a new answer, asked with Cache-Control: \($0)" } ?? "a new answer"
  }

  fileprivate func matches(_ source: Caching.Source, _ state: String, _ number: Int) -> Bool {
    let asked = asked(number)
    let isNew = answer(state)?.hasPrefix("answer ") == true && !isStored(state)
    switch source {
    case .server(let field):
      return asked.count == 1 && asked.first?.status == 200 && isNew
        && (field == nil || asked.first?.fields["cache-control"] == field)
    case .revalidated:
      return asked.count == 1 && asked.first?.status == 304 && asked.first?.fields["if-none-match"] == "\"v1\""
        && isStored(state)
    case .store: return asked.isEmpty && isStored(state)
    case .failure: return asked.isEmpty && answer(state)?.hasPrefix("failed: ") == true
    }
  }
}
