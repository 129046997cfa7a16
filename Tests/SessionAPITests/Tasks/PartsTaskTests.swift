// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Locking
import SessionAPI
import Testing

/// The disposition of each part of a multipart/x-mixed-replace body: B.9.
@Suite struct PartsTaskTests {
  @Test func `each part waits for its disposition, from wherever it comes (B.9)`() async throws {
    var reactions = Reactions()
    reactions.response = { _, answer in DispatchQueue.global().async { answer(.allow) } }
    let fixture = try Fixture(Route.standard, reactions)
    fixture.session.dataTask(with: try fixture.url("/parts?parts=3&size=10")).resume()
    let events = try await fixture.events()
    #expect(
      events == [
        .created, .response(200), .data(10), .response(200), .data(10), .response(200), .data(10), .complete(nil),
        .invalid,
      ])
  }

  @Test func `a part that is refused ends the task with -999 (B.9)`() async throws {
    let count = Locked(0)
    var reactions = Reactions()
    reactions.response = { _, answer in
      answer(
        count.withLock {
          $0 += 1
          return $0
        } == 2 ? .cancel : .allow)
    }
    let fixture = try Fixture(Route.standard, reactions)
    fixture.session.dataTask(with: try fixture.url("/parts?parts=3&size=10")).resume()
    let events = try await fixture.events()
    #expect(events == [.created, .response(200), .data(10), .response(200), .complete(-999), .invalid])
  }

  @Test func `the task's response is the last part's`() async throws {
    let fixture = try Fixture()
    let task = fixture.session.dataTask(with: try fixture.url("/parts?parts=3&size=10"))
    task.resume()
    _ = try await fixture.events()
    #expect((task.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Part") == "3")
    #expect(task.countOfBytesReceived == 30)
  }

  @Test(arguments: ["HEAD", "GET"], [0, 9])
  func `a response in parts that sets cookies and has no part ends like one that sets none`(
    method: String, length: Int
  ) async throws {
    var outcomes: [[Event]] = []
    for cookie in ["", "Set-Cookie: a=b\r\n"] {
      let type = "multipart/x-mixed-replace; boundary=b"
      let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\(cookie)Content-Length: \(length)\r\n\r\n"
      let fixture = try Fixture([Route("/none", script: [.text(head), .end(.fin)])], configuration: .ephemeral)
      fixture.session.dataTask(with: try fixture.request("/none", method: method)).resume()
      outcomes.append(try await fixture.events())
    }
    #expect(outcomes[0] == outcomes[1])
  }
}
