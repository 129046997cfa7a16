// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// The behaviour of a load when memory or descriptors are short. In processes of their own, because both are the process's; so
/// not under a sanitizer, which measures itself in every process that ends.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct LimitTests {
  private static func running() throws -> LessonServer {
    let server = LessonServer(routes: [
      Route("/large", script: .response(Response(body: .seeded(seed: 1, range: 0..<3_000_000)))),
      Route("/ok", script: .response(.text("ok"))),
      // Leaves no connection that could be closed for another.
      Route("/last", script: .response(Response(fields: [HeaderField("Connection", "close")]))),
    ])
    try server.start()
    return server
  }

  /// Loads without a timer: libdispatch opens a descriptor for the first one of the process, and ends that (SIGILL) where none
  /// is free.
  private static func load(_ request: URLRequest, by client: Client) async -> Observation.Facts {
    let observation = client.start(request)
    await observation.waitForEnd()
    return observation.facts
  }

  /// True if one of these descriptors is a socket.
  private static func haveSocket(_ descriptors: Range<Int32>) -> Bool {
    descriptors.contains { descriptor in
      var (kind, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0
    }
  }

  @Test(arguments: [Face.asynchronous, .handlerTask, .dataTask])
  func `a body larger than may be collected ends with -1103, and its process goes on (A.11)`(face: Face) async throws {
    let server = try Self.running()
    let url = server.url("/")
    await #expect(processExitsWith: .success) { [face = face as Face, url = url as String] in
      setenv("WORKBENCH_COLLECTING_LIMIT", "1000000", 1)
      let client = Client(face)
      for (path, code) in [("large", face == .dataTask ? nil : -1103), ("ok", nil)] {
        let facts = await client.load(URLRequest(url: try #require(URL(string: url + path))))
        #expect((facts.error as? URLError)?.errorCode == code)
      }
      await client.close()
    }
  }

  @Test func `so does one that is waited for (A.11)`() async throws {
    let server = try Self.running()
    let url = server.url("/")
    await #expect(processExitsWith: .success) { [url = url as String] in
      setenv("WORKBENCH_COLLECTING_LIMIT", "1000000", 1)
      for (path, code) in [("large", -1103), ("ok", nil)] as [(String, Int?)] {
        let request = URLRequest(url: try #require(URL(string: url + path)))
        let told = try await onThread { () -> Int? in
          do { _ = try NSURLConnection.sendSynchronousRequest(request, returning: nil) } catch {
            return (error as? URLError)?.errorCode ?? 0
          }
          return nil
        }
        #expect(told == code)
      }
    }
  }

  /// And none keeps one of the last eight: what one connection opens, and five for libdispatch.
  @Test(arguments: [Face.connection, .handlerTask], ["127.0.0.1", "localhost"])
  func `idle connections give their descriptors to the next ones`(face: Face, host: String) async throws {
    let servers = try (0..<40).map { _ in try Self.running() }
    let urls = servers.map { $0.url("/ok", host: host) }
    await #expect(processExitsWith: .success) { [face = face as Face, urls = urls as [String]] in
      let client = Client(face)
      let requests = urls.compactMap { URL(string: $0) }.map { URLRequest(url: $0) }
      #expect(await client.load(requests[0]).error == nil)
      let free = dup(2)
      close(free)
      var limit = rlimit(rlim_cur: UInt(free) + 16, rlim_max: UInt(free) + 16)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      for _ in 1...2 {
        for request in requests { #expect(await client.load(request).error == nil) }
        try await eventually { !LimitTests.haveSocket(free + 8..<free + 16) }
      }
      await client.close()
    }
  }

  @Test(arguments: [Face.connection, .handlerTask], ["127.0.0.1", "localhost"])
  func `want of descriptors is told as such, and is over when there are some (A.11)`(face: Face, host: String)
    async throws
  {
    let (first, second) = (try Self.running(), try Self.running())
    let urls = [first.url("/last"), second.url("/ok", host: host)]
    await #expect(processExitsWith: .success) { [face = face as Face, urls = urls as [String]] in
      let client = Client(face)
      let requests = urls.compactMap { URL(string: $0) }.map { URLRequest(url: $0) }
      #expect(await LimitTests.load(requests[0], by: client).error == nil)
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var taken: [Int32] = []
      var one = dup(2)
      while one >= 0 {
        taken.append(one)
        one = dup(2)
      }
      let error = await LimitTests.load(requests[1], by: client).error as? URLError
      for one in taken { close(one) }
      let beneath = (error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(error != nil && error?.code != .cannotConnectToHost, "\(String(describing: error))")
      #expect(beneath?.domain == NSPOSIXErrorDomain && beneath?.code == Int(EMFILE), "\(String(describing: error))")
      #expect(await LimitTests.load(requests[1], by: client).error == nil)
      await client.close()
    }
  }
}
