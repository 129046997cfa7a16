// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Testing

/// What a connection prints.
@Suite struct ConnectionDescriptionTests {
  private final class Derived: NSURLConnection, @unchecked Sendable {}

  @Test func `a connection prints its class, its address and its request (A.1)`() throws {
    let request = URLRequest(url: try #require(URL(string: "http://user:secret@127.0.0.1/x?y=1")))
    let form = /<([A-Za-z]+): 0x[0-9a-f]+> \{ request: <NS(Mutable)?URLRequest: 0x[0-9a-f]+> \{ URL: (.+) \} \}/
    let plain = NSURLConnection(request: request, delegate: nil, startImmediately: false)
    for (made, type) in [
      (plain, "NSURLConnection"), (Derived(request: request, delegate: nil, startImmediately: false), "Derived"),
    ] {
      let connection = try #require(made)
      defer { connection.cancel() }
      let parts = try #require(connection.description.wholeMatch(of: form), "\(connection)")
      #expect(parts.output.1 == type && parts.output.3 == "http://127.0.0.1/x?y=1")
      #expect("\(connection)".hasPrefix("<\(type): 0x") && connection.debugDescription.hasPrefix("<\(type): 0x"))
    }
  }
}
