// SPDX-License-Identifier: Apache-2.0
import LessonKit

/// Where a drawing of a run shows what a check looks at.
extension CheckRule {
  /// The header field that it looks at, in lower case; nil for none.
  var field: String? {
    switch self {
    case .header(let name, _), .withoutHeader(let name, _): name.lowercased()
    case .traffic(.values(_, let name)), .traffic(.sequence(let name, _)): name.lowercased()
    case .traffic(.unspoken): TrafficRule.secretField
    default: nil
    }
  }

  /// Finds its mark in a drawing of this run; nil where no drawing shows what it looks at.
  func mark(_ facts: RunFacts) -> FigureMark? {
    switch self {
    case .growth(let most): .memory(atMost: most, atEnd: false)
    case .memoryLeft(let most): .memory(atMost: most, atEnd: true)
    case .callbacksOnMain(let bound): .callbacks(.main, least: bound.least, most: bound.most)
    case .ownThreads(let bound): .callbacks(.own, least: bound.least, most: bound.most)
    case .callbackThreads(let bound): .callbacks(.threads, least: bound.least, most: bound.most)
    case .progress: .shown(.progress, inTouch: false)
    case .touched: .shown(.progress, inTouch: true)
    case .label: .shown(.label, inTouch: false)
    case .mainGap(let most): .silence(atMost: most)
    default: requests(facts)
    }
  }

  // MARK: - Requests

  private func requests(_ facts: RunFacts) -> FigureMark? {
    let all = facts.run.requests
    switch self {
    case .requests(let bound, let path, let method):
      return counted(bound, .status, in: all) { facts.isMeant($0, path, method) }
    case .header(let name, let value):
      return .requests(
        .field(name.lowercased()),
        all.map {
          let field = $0.fields[name.lowercased()]
          return FigureMark.RequestVerdict(holds: value == nil ? field != nil : field == value, wanted: value)
        }, missing: 0)
    case .withoutHeader(let name, let path):
      return said(.field(name.lowercased()), of: all) {
        facts.isMeant($0, path) ? $0.fields[name.lowercased()] == nil : nil
      }
    case .sockets(let bound): return .requests(.socket, sockets(bound, all), missing: 0)
    case .sent: return said(.sent, of: all) { _ in nil }
    case .received(let path):
      return said(.received, of: all, wanted: "\(facts.bodyBytes)") {
        guard facts.isMeant($0, path), (200..<300).contains($0.status ?? 0) else { return nil }
        return facts.hasBody($0)
      }
    case .traffic(let rule): return rule.mark(facts)
    default: return nil
    }
  }

  /// Requests over connections beyond those that are allowed do not hold.
  private func sockets(_ bound: Bound, _ all: [RequestSeen]) -> [FigureMark.RequestVerdict] {
    var known: [Int] = []
    return all.map { request in
      if !known.contains(request.socket) { known.append(request.socket) }
      let place = known.firstIndex(of: request.socket) ?? 0
      return FigureMark.RequestVerdict(holds: place < bound.most ?? .max)
    }
  }
}

extension TrafficRule {
  /// The field in which a secret is sent as a rule.
  fileprivate static let secretField = "authorization"

  /// Finds its mark in a table of this run's requests.
  func mark(_ facts: RunFacts) -> FigureMark? {
    let all = facts.run.requests
    switch self {
    case .answered(let bound, let status, let path):
      return counted(bound, .status, in: all) { facts.isMeant($0, path) && $0.status == status }
    case .whole(let bound, let path):
      return counted(bound, .sent, in: all) { facts.isMeant($0, path) && $0.bytesSent >= facts.bodyBytes }
    case .values(_, let name): return said(.field(name.lowercased()), of: all) { _ in nil }
    case .sequence(let name, let values): return sequence(name.lowercased(), values, all)
    case .carried(let method):
      return said(.received, of: all, wanted: "\(facts.bodyBytes)") {
        facts.isMeant($0, nil, method) ? facts.hasBody($0) : nil
      }
    case .largest(_, let most, let path):
      return said(.sent, of: all) { facts.isMeant($0, path) ? $0.bytesSent <= most ?? .max : nil }
    case .unspoken(let texts, let path):
      return said(.field(Self.secretField), of: all) { request in
        guard facts.isMeant(request, path) else { return nil }
        return !([request.target] + request.fields.values).contains { said in texts.contains(where: said.contains) }
      }
    case .together, .lasting, .apart: return said(.duration, of: all) { _ in nil }
    case .over(let path, let other):
      let last = facts.requests(path: other).compactMap(\.ended).max()
      return said(.duration, of: all) {
        guard facts.isMeant($0, path), let last else { return nil }
        return $0.ended ?? .infinity < last
      }
    }
  }

  private func sequence(_ field: String, _ values: [String], _ all: [RequestSeen]) -> FigureMark {
    let order = all.indices.sorted { all[$0].began < all[$1].began }
    var verdicts = all.map { _ in FigureMark.RequestVerdict(holds: false) }
    for (place, index) in order.enumerated() where place < values.count {
      let isRight = (all[index].fields[field] ?? "none") == values[place]
      verdicts[index] = FigureMark.RequestVerdict(holds: isRight, wanted: values[place])
    }
    return .requests(.field(field), verdicts, missing: max(0, values.count - all.count))
  }
}

/// The requests that are meant, of which there are to be so many: those beyond the bound do not hold, and those that are
/// missing are counted.
private func counted(
  _ bound: CheckRule.Bound, _ column: FigureMark.RequestColumn, in all: [RequestSeen],
  _ isMeant: (RequestSeen) -> Bool
) -> FigureMark {
  var count = 0
  let verdicts = all.map { request in
    guard isMeant(request) else { return FigureMark.RequestVerdict(holds: nil) }
    count += 1
    return FigureMark.RequestVerdict(holds: count <= bound.most ?? .max)
  }
  return .requests(column, verdicts, missing: max(0, (bound.least ?? 0) - count))
}

private func said(
  _ column: FigureMark.RequestColumn, of all: [RequestSeen], wanted: String? = nil, _ holds: (RequestSeen) -> Bool?
) -> FigureMark {
  .requests(
    column,
    all.map { request in
      let isRight = holds(request)
      return FigureMark.RequestVerdict(holds: isRight, wanted: isRight == nil ? nil : wanted)
    }, missing: 0)
}

extension RunFacts {
  fileprivate func isMeant(_ request: RequestSeen, _ path: String?, _ method: String? = nil) -> Bool {
    (path == nil || request.path == path) && (method == nil || request.method == method)
  }

  fileprivate func hasBody(_ request: RequestSeen) -> Bool {
    request.bodyBytes == bodyBytes && request.bodyChecksum == checksum(of: .body)
  }
}
