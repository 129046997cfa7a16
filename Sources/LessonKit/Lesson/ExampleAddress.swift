// SPDX-License-Identifier: Apache-2.0
import LessonServer
import Locking

/// The address an example is given, and the body that is to come from there.
struct ExampleAddress {
  /// A body as the receiver must find it.
  struct Body: Hashable {
    var bytes: Int64
    var checksum: String
  }

  /// The seed of every body; the content is the same in every run.
  static let seed: UInt64 = 5
  /// The limit of a multiple of S, so that a large S asks for no unreasonable time and space: 512 MiB.
  private static let largestMultiple: Int64 = 512 << 20
  /// With this a path begins that is asked for under the server's other name.
  private static let otherName = "//localhost/"

  /// The address.
  var url: String
  /// The size of the body that is to come, nil where the answer is not one of the generator's.
  private(set) var size: Int64?
  private let seed: UInt64

  /// The body, nil where the answer is not one of the generator's. Its checksum is computed when it is first asked for.
  var expectedBody: Body? {
    size.map { Body(bytes: $0, checksum: Self.checksum(seed: seed, size: $0)) }
  }

  /// The address of `resource` on the server at `port`. Where there is a token, it stands for the seed there.
  init(
    _ resource: Example.Resource, bodyBytes: Int, seed: UInt64, token: UInt64? = nil, port: UInt16,
    secure securePorts: [String: UInt16] = [:]
  ) {
    let (base, named) = ("http://127.0.0.1:\(port)", token ?? seed)
    self.seed = seed
    switch resource {
    case .path(let path):
      let isOther = path.hasPrefix(Self.otherName)
      url = isOther ? "http://localhost:\(port)/" + path.dropFirst(Self.otherName.count) : base + path
    case .secure(let certificate, let divisor):
      let size = Int64(max(1, bodyBytes / divisor))
      url = "https://127.0.0.1:\(securePorts[certificate.rawValue] ?? 0)/body?size=\(size)&seed=\(named)"
      self.size = size
    case .refused:
      url = "http://127.0.0.1:1/"  // tcpmux, which nobody runs; a port that was free a moment ago might be taken
    case .body(let length, let divisor, let factor, let duration, let delay, let options):
      let share = Int64(max(1, bodyBytes / divisor))
      let size = max(share, min(share * Int64(factor), Self.largestMultiple))
      url = "\(base)/body?size=\(size)&seed=\(named)&length=\(length.rawValue)"
      if let delay { url += "&delay=\(delay / .seconds(1))" }
      if !options.isEmpty { url += "&" + options }
      if let duration {
        url += "&rate=\(max(1, Int64(Double(size) / (duration / .seconds(1)))))"
      }
      self.size = size
    }
  }

  private struct Content: Hashable {
    var seed: UInt64
    var size: Int64
  }

  /// The checksum of the generator's first bytes, computed once for all examples that load them.
  static func checksum(seed: UInt64, size: Int64) -> String {
    let content = Content(seed: seed, size: size)
    if let known = checksums.withLock({ $0[content] }) { return known }
    let checksum = BodyDigest.text(of: SeededBody.checksum(seed: seed, size: size))
    checksums.withLock { $0[content] = checksum }
    return checksum
  }

  private static let checksums = Locked<[Content: String]>([:])

  /// The address of a small first load.
  static func warmUp(port: UInt16) -> String { "http://127.0.0.1:\(port)\(warmUpPath)" }

  static let warmUpPath = "/ok"
}
