// SPDX-License-Identifier: Apache-2.0

/// Nine ways in which a load can end, in an order that follows from a seed, so that a program has to look at what comes.
public struct SeededEndings: Sendable, Hashable {
  /// A way to end, with the word that an exercise has for it.
  public enum Ending: String, Sendable, Hashable, CaseIterable {
    /// A redirect to another address of the server; there, status 200 and all of the body, slowly. In an uneven order: at once,
    /// without a redirect.
    case whole
    /// Status 204.
    case empty
    /// Status 404.
    case missing
    /// Status 503.
    case unable
    /// Status 200; the connection ends in the middle of the body, in order. In an uneven order: slowly, behind a redirect to
    /// another address of the server.
    case cut
    /// The connection ends in the middle of the head.
    case lost
    /// No answer.
    case late
    /// A redirect to a port that no socket listens on.
    case nobody
    /// A redirect to a scheme that no client knows.
    case unsupported
  }

  /// The endings in their order.
  public let order: [Ending]

  /// The order of this seed. An uneven one lacks two of the three endings that a status alone tells, and has others twice: what
  /// a program does not know is not the word that is left over.
  public init(seed: UInt64, isUneven: Bool = false) {
    var order = Ending.allCases
    var state = seed
    func next(below count: Int) -> Int {
      state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
      return Int((state &>> 33) % UInt64(count))
    }
    for place in stride(from: order.count - 1, to: 0, by: -1) { order.swapAt(place, next(below: place + 1)) }
    if isUneven {
      var told: [Ending] = [.empty, .missing, .unable]
      var doubled: [Ending] = [told.remove(at: next(below: told.count)), .lost, .nobody, .unsupported]
      order = order.map { told.contains($0) ? doubled.remove(at: next(below: doubled.count)) : $0 }
    }
    self.order = order
  }
}

extension SeededEndings.Ending {
  private static let size: Int64 = 100 << 10
  private static let response = Response(
    fields: [HeaderField("Content-Type", "application/octet-stream")], body: .seeded(seed: 1, range: 0..<size))

  /// The script with which the server ends a load so.
  func script(isUneven: Bool) -> Script {
    switch self {
    case .whole where isUneven: .response(Self.response)
    case .cut where isUneven: redirect(to: Self.there)
    case .whole: redirect(to: Self.there)
    case .empty: .response(Response(204))
    case .missing: .response(.text("there is no such thing\n", 404))
    case .unable: .response(.text("not now\n", 503))
    case .cut: .response(Self.response).cut(after: Self.size / 2, by: .fin)
    case .lost: .response(Self.response).cut(after: 20, by: .fin)
    case .late: [.stall]
    case .nobody: redirect(to: "http://127.0.0.1:1/")
    case .unsupported: redirect(to: "gopher://127.0.0.1/")
    }
  }

  /// Where the redirect of `whole` leads to, in an uneven order that of `cut`, seen from its address.
  fileprivate static let there = "there"
  /// Both take longer than the time-out of a request, which counts silence alone.
  fileprivate static func scriptThere(isUneven: Bool) -> Script {
    isUneven
      ? Script([.pace(.bytesPerSecond(20 << 10)), .cut(after: size / 2, by: .fin), .response(response)])
      : .response(response).paced(.bytesPerSecond(40 << 10))
  }

  private func redirect(to target: String) -> Script {
    .response(Response(302, fields: [HeaderField("Location", target)]))
  }
}

extension Route {
  static let endings = [
    endings(
      "/endings/", isUneven: false,
      summary: "nine ways to end, in the order of a seed: /endings/SEED/1 to /endings/SEED/9"),
    endings("/uneven/", isUneven: true, summary: "the same, but some of the ways come twice and others not at all"),
  ]

  private static func endings(_ path: String, isUneven: Bool, summary: String) -> Route {
    Route(path + "*", summary: summary) { request in
      let parts = request.head.path.split(separator: "/").dropFirst()
      if parts.count == 2, parts.last.map(String.init) == SeededEndings.Ending.there {
        return SeededEndings.Ending.scriptThere(isUneven: isUneven)
      }
      guard parts.count == 2, let seed = parts.first.flatMap({ UInt64($0) }),
        let number = parts.last.flatMap({ Int($0) }), (1...SeededEndings.Ending.allCases.count).contains(number)
      else {
        return .response(.text("Write \(path)SEED/NUMBER with a number from 1 to 9.\n", 400))
      }
      let endings = SeededEndings(seed: HiddenSeeds.seed(behind: seed), isUneven: isUneven)
      return endings.order[number - 1].script(isUneven: isUneven)
    }
  }
}
