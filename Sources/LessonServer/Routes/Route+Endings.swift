// SPDX-License-Identifier: Apache-2.0

/// Nine ways in which a load can end, in an order that follows from a seed, so that a program has to look at what comes.
public struct SeededEndings: Sendable, Hashable {
  /// A way to end, with the word that an exercise has for it.
  public enum Ending: String, Sendable, Hashable, CaseIterable {
    /// A redirect to another address of the server; there, status 200 and all of the body.
    case whole
    /// Status 204.
    case empty
    /// Status 404.
    case missing
    /// Status 503.
    case unable
    /// Status 200; the connection ends in the middle of the body, in order.
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

  /// The order of this seed.
  public init(seed: UInt64) {
    var order = Ending.allCases
    var state = seed
    for place in stride(from: order.count - 1, to: 0, by: -1) {
      state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
      order.swapAt(place, Int((state &>> 33) % UInt64(place + 1)))
    }
    self.order = order
  }
}

extension SeededEndings.Ending {
  private static let size: Int64 = 100 << 10
  private static let response = Response(
    fields: [HeaderField("Content-Type", "application/octet-stream")], body: .seeded(seed: 1, range: 0..<size))

  /// The script with which the server ends a load so.
  var script: Script {
    switch self {
    case .whole: redirect(to: Self.placeOfWhole)
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

  /// Where the redirect of `whole` leads to, seen from its address.
  fileprivate static let placeOfWhole = "there"
  /// Longer than the time-out of a request, which counts silence alone.
  fileprivate static let wholeScript = Script.response(response).paced(.bytesPerSecond(40 << 10))

  private func redirect(to target: String) -> Script {
    .response(Response(302, fields: [HeaderField("Location", target)]))
  }
}

extension Route {
  static let endings = Route(
    "/endings/*", summary: "nine ways to end, in the order of a seed: /endings/SEED/1 to /endings/SEED/9"
  ) { request in
    let parts = request.head.path.split(separator: "/").dropFirst()
    if parts.count == 2, parts.last.map(String.init) == SeededEndings.Ending.placeOfWhole {
      return SeededEndings.Ending.wholeScript
    }
    guard parts.count == 2, let seed = parts.first.flatMap({ UInt64($0) }),
      let number = parts.last.flatMap({ Int($0) }), (1...SeededEndings.Ending.allCases.count).contains(number)
    else {
      return .response(.text("Write /endings/SEED/NUMBER with a number from 1 to 9.\n", 400))
    }
    return SeededEndings(seed: HiddenSeeds.seed(behind: seed)).order[number - 1].script
  }
}
