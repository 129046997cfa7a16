// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer
import Testing

@Suite struct StandardRoutesTests {
  private func text(_ answer: TestClient.Answer) -> String { String(decoding: answer.body, as: UTF8.self) }

  @Test func `a body comes with the fields that were asked for`() async throws {
    let server = try startedServer()
    try await onThread {
      let target = "/body?size=10&disposition=n%20a.bin&type=image/png&etag=v1&modified=Mon,+01+Jan+2024+00:00:00+GMT"
      let answer = try TestClient(server).get(target)
      #expect(answer["Content-Disposition"] == #"attachment; filename="n a.bin""#)
      #expect(answer["Content-Type"] == "image/png")
      #expect(answer["ETag"] == "\"v1\"")
      #expect(answer["Last-Modified"] == "Mon, 01 Jan 2024 00:00:00 GMT")
      #expect(answer["Accept-Ranges"] == "bytes")
      #expect(answer["Content-Length"] == "10")
    }
  }

  @Test func `a body may be cut short, and a redirect lead to itself`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      #expect(try client.get("/loop")["Location"] == "/loop")
      #expect(try client.get("/elsewhere")["Location"]?.hasPrefix("http://") == true)
      #expect(try client.get("/elsewhere?to=/ok")["Location"]?.hasSuffix("/ok") == true)
      #expect(try client.get("/body?size=10&number=2").body == SeededBody(seed: 3).bytes(0..<10))
      #expect(try client.get("/body?size=10&cookie=a%3D1")["Set-Cookie"] == "a=1")
      #expect(try client.get("/body?size=10&control=no-store")["Cache-Control"] == "no-store")
      #expect(try client.get("/body?size=10&cut=5&by=never").status == 400)
      client.send("GET /body?size=1000&cut=20&by=fin HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let rest = client.readToEnd()
      #expect(rest.bytes.count == 20)
      #expect(rest.end == .fin)
    }
  }

  @Test func `a document in another layout is the same for whoever reads JSON`() throws {
    for seed in 1...40 as ClosedRange<UInt64> {
      let document = SeededDocument(seed: seed)
      let read = try #require(try JSONSerialization.jsonObject(with: Data(document.otherText.utf8)) as? [String: Any])
      #expect(read["name"] as? String == document.name)
      #expect(read["length"] as? Int == document.name.utf8.count)
      #expect(document.otherText.split(separator: "\"").dropFirst(3).first.map(String.init) != document.name)
    }
    #expect(Set((1...40).map { SeededDocument(seed: $0).otherText.count { $0 == "\n" } }).count > 1)
  }

  @Test func `a body is held at a place until the client goes, and for others for a while`() async throws {
    let server = try startedServer()
    try await onThread {
      let leaving = try TestClient(server)
      leaving.send("GET /body?size=1MiB&hold=300KiB HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = try leaving.readHead()
      #expect(try leaving.read(300 << 10) == SeededBody(seed: 1).bytes(0..<300 << 10))
      shutdown(leaving.descriptor, CInt(SHUT_WR))
      #expect(leaving.readToEnd().bytes.isEmpty)
      let client = try TestClient(server)
      #expect(try client.get("/body?size=310KiB&hold=300KiB").body == SeededBody(seed: 1).bytes(0..<310 << 10))
      let rest = try client.get("/body?size=310KiB&hold=300KiB", fields: "Range: bytes=307000-\r\n")
      #expect(rest.body == SeededBody(seed: 1).bytes(307_000..<310 << 10))
      #expect(try client.get("/body?size=500&hold=x").status == 400)
    }
  }

  @Test(arguments: [("127.0.0.1:8", "localhost:8"), ("localhost:8", "127.0.0.1:8")])
  func `a redirect leads to the other of the server's two names`(_ own: String, _ other: String) async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send("GET /elsewhere HTTP/1.1\r\nHost: \(own)\r\nConnection: close\r\n\r\n")
      let answer = String(decoding: client.readToEnd().bytes, as: UTF8.self)
      #expect(answer.contains("Location: http://\(other)/echo\r\n"), "\(answer)")
    }
  }

  @Test func `cookies are shown as received and set as asked`() async throws {
    let server = try startedServer()
    try await onThread {
      let answer = try TestClient(server).get("/cookies?set=a%3D1%3B+Path%3D/", fields: "Cookie: b=2\r\n")
      #expect(answer["Set-Cookie"] == "a=1; Path=/")
      #expect(String(decoding: answer.body, as: UTF8.self) == "b=2\n")
    }
  }

  @Test func `a document changes with the second request, and its tag with it`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      let target = "/edition?seed=\(UInt64.random(in: 1...1 << 40))&control=no-cache&changes=on"
      let (first, second) = (try client.get(target), try client.get(target))
      #expect(first["Cache-Control"] == "no-cache" && first["ETag"] != second["ETag"] && first.body != second.body)
      let (old, new) = (try #require(first["ETag"]), try #require(second["ETag"]))
      #expect(try client.get(target, fields: "If-None-Match: \(old)\r\n").status == 200)
      #expect(try client.get(target, fields: "If-None-Match: \(new)\r\n").status == 304)
    }
  }

  @Test func `a cacheable body counts its answers, and a condition that holds gets a 304`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      let target = "/cached?control=max-age%3D60&etag=a&modified=then"
      let (first, second) = (try client.get(target), try client.get(target))
      #expect(first["Cache-Control"] == "max-age=60" && first["ETag"] == "\"a\"" && first["Last-Modified"] == "then")
      #expect(first.body != second.body)
      #expect(try client.get(target, fields: "If-None-Match: \"a\"\r\n").status == 304)
      #expect(try client.get(target, fields: "If-Modified-Since: then\r\n").status == 304)
      #expect(try client.get(target, fields: "If-None-Match: \"b\"\r\nIf-Modified-Since: then\r\n").status == 200)
    }
  }

  @Test func `a body may have no length or chunks`() async throws {
    let server = try startedServer()
    try await onThread {
      let expected = SeededBody(seed: 2).bytes(0..<200_000)
      let client = try TestClient(server)
      let chunked = try client.get("/body?size=200000&seed=2&length=chunked", fields: "Range: bytes=1-2\r\n")
      #expect(chunked["Transfer-Encoding"] == "chunked")
      #expect(chunked["Content-Length"] == nil)
      #expect(chunked.status == 200)
      #expect(chunked.body == expected)
      let open = try client.get("/body?size=200000&seed=2&length=none")
      #expect(open["Connection"] == "close")
      #expect(open["Content-Length"] == nil)
      #expect(open.body == expected)
      #expect(client.readToEnd().end == .fin)
    }
  }

  @Test(
    arguments: [
      ("bytes=0-0", 206, 0..<1, "bytes 0-0/1000"), ("bytes=990-", 206, 990..<1000, "bytes 990-999/1000"),
      ("bytes=-5", 206, 995..<1000, "bytes 995-999/1000"), ("bytes=5-99999", 206, 5..<1000, "bytes 5-999/1000"),
      ("bytes=-5000", 206, 0..<1000, "bytes 0-999/1000"), ("bytes=1000-", 416, 0..<0, "bytes */1000"),
      ("bytes=-0", 416, 0..<0, "bytes */1000"), ("bytes=5-4", 200, 0..<1000, nil), ("bytes=a-b", 200, 0..<1000, nil),
      ("bytes=0-1,5-6", 200, 0..<1000, nil), ("lines=1-2", 200, 0..<1000, nil),
    ] as [(String, Int, Range<Int>, String?)])
  func `ranges are honoured`(_ field: String, _ status: Int, _ range: Range<Int>, _ place: String?) async throws {
    let server = try startedServer()
    try await onThread {
      let answer = try TestClient(server).get("/body?size=1000", fields: "Range: \(field)\r\n")
      #expect(answer.status == status)
      #expect(answer["Content-Range"] == place)
      #expect(answer.body == SeededBody(seed: 1).bytes(Int64(range.lowerBound)..<Int64(range.upperBound)))
    }
    #expect(server.log.settled(within: .seconds(90)).requests[0].range == field)
  }

  @Test(arguments: [
    ("If-Range: \"v1\"", 206), ("If-Range: \"v2\"", 200), ("If-Range: W/\"v1\"", 200), ("If-None-Match: \"v1\"", 304),
  ])
  func `validators decide`(_ field: String, _ status: Int) async throws {
    let server = try startedServer()
    try await onThread {
      let answer = try TestClient(server).get("/body?size=1000&etag=v1", fields: "Range: bytes=5-\r\n\(field)\r\n")
      #expect(answer.status == status)
    }
  }

  @Test func `ranges may be off`() async throws {
    let server = try startedServer()
    try await onThread {
      let answer = try TestClient(server).get("/body?size=1000&ranges=off", fields: "Range: bytes=5-\r\n")
      #expect(answer.status == 200)
      #expect(answer["Accept-Ranges"] == nil)
    }
  }

  @Test func `an upload is counted and summed up, by length and in chunks`() async throws {
    let server = try startedServer()
    try await onThread {
      let body = SeededBody(seed: 8).bytes(0..<3_000_000)
      let client = try TestClient(server)
      client.send("PUT /upload HTTP/1.1\r\nContent-Length: \(body.count)\r\n\r\n")
      client.send(body)
      let byLength = try JSONDecoder().decode(UploadAnswer.self, from: Data(client.readAnswer().body))
      #expect(byLength.bytes == 3_000_000)
      #expect(byLength.checksum == BodyChecksum(of: body).value)
      client.send("PUT /upload HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
      for start in stride(from: 0, to: body.count, by: 700_000) {
        let piece = body[start..<min(start + 700_000, body.count)]
        client.send("\(String(piece.count, radix: 16));note=\"x\"\r\n")
        client.send(Array(piece) + [13, 10])
      }
      client.send("0\r\nX-Sum: 1\r\n\r\n")
      #expect(try JSONDecoder().decode(UploadAnswer.self, from: Data(client.readAnswer().body)) == byLength)
      #expect(try client.get("/ok").status == 200)
    }
    #expect(server.log.settled(within: .seconds(90)).requests.map(\.bodyBytes) == [3_000_000, 3_000_000, 0])
  }

  @Test func `a late reader takes the whole body`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send("POST /upload/later?delay=0.01 HTTP/1.1\r\nContent-Length: 100000\r\n\r\n")
      client.send(SeededBody(seed: 8).bytes(0..<100_000))
      #expect(try client.readAnswer().body == Array("taken".utf8))
      #expect(try client.get("/upload/later?delay=x").status == 400)
    }
    #expect(server.log.settled(within: .seconds(90)).requests.map(\.bodyBytes) == [100_000, 0])
  }

  @Test func `a client that expects it is told to go on`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send("PUT /upload HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.readAnswer().status == 100)
      client.send("abc")
      let answer = try JSONDecoder().decode(UploadAnswer.self, from: Data(client.readAnswer().body))
      #expect(answer == UploadAnswer(bytes: 3, checksum: BodyChecksum(of: "abc".utf8).value))
    }
    #expect(server.log.settled(within: .seconds(90)).requests[0].status == 200)
  }

  @Test func `an echo shows method, target and fields`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send(Array("ODD /echo?q=%41 HTTP/1.1\r\nX: caf".utf8) + [0xE9] + Array("\r\nX: 2\r\n\r\n".utf8))
      let echo = try JSONDecoder().decode(EchoAnswer.self, from: Data(client.readAnswer().body))
      #expect(echo.method == "ODD")
      #expect(echo.target == "/echo?q=%41")
      #expect(echo.fields == [HeaderField("X", "caf\u{e9}"), HeaderField("X", "2")])
    }
  }

  @Test func `status and redirect answer what the path says`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      #expect(try client.get("/status/503").status == 503)
      #expect(try client.get("/status/204").body.isEmpty)
      let redirect = try client.get("/redirect/307?to=http://127.0.0.1:1/x%20y")
      #expect(redirect.status == 307)
      #expect(redirect["Location"] == "http://127.0.0.1:1/x y")
      #expect(try client.get("/ok").status == 200)
    }
  }

  @Test(arguments: [
    ("/body?size=abc", "\"abc\" is not a size. Write a whole number of bytes such as 10, or 64KiB, 64MiB, 1GiB.\n"),
    ("/body?length=maybe", "\"maybe\" is not a value for length: write known, none or chunked.\n"),
    ("/body?ranges=no", "\"no\" is not a value for ranges: write on, off or none.\n"),
    ("/body?seed=-1", "\"-1\" is not a value for seed: write a whole number.\n"),
    ("/body?delay=-1", "\"-1\" is not a value for delay: write seconds such as 0.5.\n"),
    ("/wait?seconds=nan", "\"nan\" is not a value for seconds: write seconds such as 0.5.\n"),
    ("/status/99", "\"99\" is not a value for the status: write a number from 200 to 999.\n"),
  ])
  func `a parameter that cannot be read is named`(_ target: String, _ sentence: String) async throws {
    let server = try startedServer()
    try await onThread {
      let answer = try TestClient(server).get(target)
      #expect(answer.status == 400)
      #expect(String(decoding: answer.body, as: UTF8.self) == sentence)
    }
  }

  @Test func `waiting, delay and rate take their time`() async throws {
    let server = try startedServer()
    try await onThread {
      let clock = ContinuousClock()
      let client = try TestClient(server)
      #expect(try clock.measure { _ = try client.get("/wait?seconds=0.1") } >= .milliseconds(100))
      #expect(try clock.measure { _ = try client.get("/body?size=10&delay=0.1") } >= .milliseconds(100))
      #expect(try clock.measure { _ = try client.get("/basic?delay=0.1") } >= .milliseconds(100))
      #expect(try clock.measure { _ = try client.get("/body?size=20KiB&rate=100KiB") } >= .milliseconds(170))
    }
  }

  @Test func `nine loads end in the nine ways, in the order of the seed`() async throws {
    let server = try startedServer()
    let order = SeededEndings(seed: 7).order
    #expect(Set(order) == Set(SeededEndings.Ending.allCases))
    #expect(order != SeededEndings(seed: 8).order && order == SeededEndings(seed: 7).order)
    @Sendable func path(_ ending: SeededEndings.Ending) throws -> String {
      "/endings/7/\(try #require(order.firstIndex(of: ending)) + 1)"
    }
    try await onThread {
      let client = try TestClient(server)
      #expect(try client.get(path(.whole))["Location"] == "there")
      #expect(try client.get("/endings/7/there").body.count == 100 << 10)
      for (ending, status) in [(SeededEndings.Ending.empty, 204), (.missing, 404), (.unable, 503)] {
        #expect(try client.get(path(ending)).status == status)
      }
      #expect(try client.get(path(.nobody))["Location"] == "http://127.0.0.1:1/")
      #expect(try client.get(path(.unsupported))["Location"] == "gopher://127.0.0.1/")
      for bad in ["/endings/7/0", "/endings/7/10", "/endings/x/1", "/endings/7"] {
        #expect(try client.get(bad).status == 400)
      }
      for (ending, count) in [(SeededEndings.Ending.cut, 50 << 10), (.lost, 20)] {
        let client = try TestClient(server)
        client.send("GET \(try path(ending)) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.readToEnd().bytes.count == count)
      }
    }
  }

  @Test func `uneven endings lack two that a status tells, and have others twice`() {
    for seed in 1...UInt64(200) {
      let order = SeededEndings(seed: seed, isUneven: true).order
      #expect(order.count == 9)
      for ending in [SeededEndings.Ending.whole, .cut, .late] { #expect(order.count { $0 == ending } == 1) }
      for ending in [SeededEndings.Ending.lost, .nobody, .unsupported] {
        #expect((1...2).contains(order.count { $0 == ending }))
      }
      #expect(Set(order).intersection([.empty, .missing, .unable]).count == 1)
    }
  }

  @Test func `in uneven endings the body that is cut is behind a redirect, and the whole one is not`() async throws {
    let server = try startedServer()
    let order = SeededEndings(seed: 7, isUneven: true).order
    @Sendable func path(_ ending: SeededEndings.Ending) throws -> String {
      "/uneven/7/\(try #require(order.firstIndex(of: ending)) + 1)"
    }
    try await onThread {
      let client = try TestClient(server)
      #expect(try client.get(path(.whole)).body.count == 100 << 10)
      #expect(try client.get(path(.cut))["Location"] == "there")
      #expect(try client.get("/uneven/7/10").status == 400)
      let other = try TestClient(server)
      other.send("GET /uneven/7/there HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(other.readToEnd().bytes.count == 50 << 10)
    }
  }

  @Test func `never means until the client goes`() async throws {
    let server = try startedServer()
    try await onThread {
      let client = try TestClient(server)
      client.send("GET /never HTTP/1.1\r\n\r\n")
      #expect(server.log.waitForRequests(1, within: .seconds(90)))
      #expect(server.log.snapshot().requests[0].ended == nil)
    }
    #expect(server.log.waitUntilClosed(within: .seconds(90)))
    #expect(server.log.snapshot().requests[0].status == nil)
  }

  @Test func `the table names every route`() {
    let table = Route.table()
    for route in Route.standard { #expect(table.contains("\n\(route.path) ") || table.hasPrefix("\(route.path) ")) }
    #expect(table.contains(/^\/ok +two bytes: ok\n/))
  }
}
