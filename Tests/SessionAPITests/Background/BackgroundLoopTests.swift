// SPDX-License-Identifier: Apache-2.0
import BackgroundTransfers
import Foundation
import Glibc
import LessonServer
import TestSupport
import Testing

@testable import SessionAPI

/// BG-48: what no agent can take is given up, and not tried for ever.
@Suite(.serialized) struct BackgroundLoopTests {
  private static func failure(_ configuration: URLSessionConfiguration, _ request: URLRequest) async throws -> URLError?
  {
    let recorder = Recorder()
    let session = URLSession(configuration: configuration, delegate: recorder, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let task = session.downloadTask(with: request)
    task.resume()
    try await recorder.log.wait { $0.ends == 1 }
    return task.error as? URLError
  }

  @Test func `a task and a configuration that are too long for a message end with −1103 (BG-48)`() async throws {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:1/")))
    let configuration = URLSessionConfiguration.background(withIdentifier: UUID().uuidString)
    configuration.httpAdditionalHeaders = ["A": String(repeating: "a", count: 1 << 20)]
    let first = try await Self.failure(configuration, request)
    #expect(first?.code == .dataLengthExceedsMaximum)
    #expect(first?.localizedDescription.hasPrefix("The session's configuration takes 1") == true)
    request.setValue(String(repeating: "a", count: 9 << 20), forHTTPHeaderField: "A")
    let second = try await Self.failure(.background(withIdentifier: UUID().uuidString), request)
    #expect(second?.code == .dataLengthExceedsMaximum)
    #expect(second?.localizedDescription.hasPrefix("The task takes 9") == true)
  }

  /// An agent that greets every client, and closes the connection as soon as it is given a task.
  private static func listen(for place: BackgroundPlace) throws -> EventLog<String> {
    let log = EventLog<String>()
    let path = place.places.socket
    try Places.makePrivate((path as NSString).deletingLastPathComponent)
    let listener = try UnixSocket.listen(at: path)
    let queue = DispatchQueue(label: "false agent")
    Thread.detachNewThread {
      while true {
        var watched = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, -1) > 0 else { continue }
        let channel = Channel(accept(listener, nil, nil), queue: queue)
        queue.sync {
          channel.open { data in
            guard case .hello? = try? Talk.decode(ClientMessage.self, from: data) else { return channel.close() }
            log.append("hello")
            try? channel.send(AgentMessage.welcome([]))
          } onEnd: { _ in
          }
        }
      }
    }
    return log
  }

  @Test func `an agent that ends whenever it has a task is given up (BG-48)`() async throws {
    let place = try BackgroundPlace()
    let log = try Self.listen(for: place)
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let program = try ProgramRun(place, urls: [url])
    _ = try await program.lines.wait { $0.contains { $0.hasPrefix("reason") } }
    let lines = try await program.kill()
    #expect(lines.contains("complete 0 -997"))
    #expect(lines.contains { $0.hasPrefix("reason The transfer agent ends whenever it is spoken to") })
    #expect(log.all.count == 4)
  }
}
