// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import SessionAPI
import Testing

/// B.9 and H1-36: responses before the response.
@Suite struct InterimTests {
  private final class Listener: NSObject, URLSessionTaskDelegate {
    let log = EventLog<String>()

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
      log.append("\(response.statusCode) \(response.value(forHTTPHeaderField: "Link") ?? "")")
    }
  }

  @Test func `interim responses are told in order, and are not the task's response (B.9)`() async throws {
    let early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
    let route = Route("/", script: [.text(early), .response(.text("ok"))])
    let fixture = try Fixture([route])
    let listener = Listener()
    let (data, response) = try await fixture.session.data(from: try fixture.url("/"), delegate: listener)
    #expect(data == Data("ok".utf8))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Link") == nil)
    #expect(listener.log.all == ["103 </a.css>", "102 "])
  }

  @Test func `the calls without a delegate can be passed on as functions (B.2)`() async throws {
    let fixture = try Fixture()
    let load: (URLRequest) async throws -> (Data, URLResponse) = fixture.session.data(for:)
    let get: (URL) async throws -> (Data, URLResponse) = fixture.session.data(from:)
    let send: (URLRequest, Data) async throws -> (Data, URLResponse) = fixture.session.upload(for:from:)
    #expect(try await load(try fixture.request("/ok")).0 == Data("ok".utf8))
    #expect(try await get(try fixture.url("/ok")).0 == Data("ok".utf8))
    let (answer, _) = try await send(try fixture.request("/upload", method: "POST"), Data([1, 2, 3]))
    #expect(String(decoding: answer, as: UTF8.self).contains("3"))
  }
}
