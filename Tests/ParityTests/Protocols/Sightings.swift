// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Locking
import TestSupport

/// The notes of a protocol class about its loads, by the address of each.
final class Sightings: Sendable {
  /// One call, and where it came.
  struct Sighting: Sendable, Equatable {
    let call: String
    let thread: ObjectIdentifier
    let mode: String?
  }

  private let notes = Locked<[String: [Sighting]]>([:])

  /// Notes a call on the current thread.
  func note(_ call: String, for url: URL?) {
    let sighting = Sighting(
      call: call, thread: ObjectIdentifier(Thread.current), mode: RunLoop.current.currentMode?.rawValue)
    notes.withLock { $0[url?.absoluteString ?? "", default: []].append(sighting) }
  }

  func all(for url: URL) -> [Sighting] { notes.withLock { $0[url.absoluteString] ?? [] } }

  /// All calls for an address, as soon as this one is among them.
  func until(_ call: String, for url: URL) async throws -> [Sighting] {
    try await eventually { all(for: url).contains { $0.call == call } }
    return all(for: url)
  }
}

extension URLProtocol {
  /// Tells the client a whole answer.
  func answer(_ text: String) {
    beginAnswer()
    client?.urlProtocol(self, didLoad: Data(text.utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  func beginAnswer() {
    guard let url = request.url,
      let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
    else { return }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
  }
}
