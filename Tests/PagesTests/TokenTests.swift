// SPDX-License-Identifier: Apache-2.0
import Exercises
import Foundation
import Glibc
import Testing

@testable import Pages

/// No address of the site answers without the token, and none changes anything for another origin.
@Suite(.timeLimit(.minutes(3))) struct TokenTests {
  /// Addresses that no page links to.
  private static let hidden: Set<String> = [
    "/run/events?from=1.0", "/exercises/lesson-04/events", "/exercises/lesson-04/outcome", "/compare?before=a&after=b",
    "/runs/none", "/nowhere",
  ]

  /// What a stranger is told, whatever the address.
  private static let refusal =
    "The token is missing. Open the link that workbench serve printed, with all that is in it.\n"

  /// The addresses that links and forms name on the page and on those it leads to: of pages, and of buttons.
  private static func addresses(_ door: Door) async -> (pages: Set<String>, buttons: Set<String>) {
    var (pages, buttons, waiting) = (hidden.union(["/"]), Set<String>(), ["/", "/exercises/lesson-04", "/run"])
    while let path = waiting.popLast() {
      let body = await door.get(path).body
      for match in body.matches(of: /(href|action|formaction)="(\/[^"#]*)"/) {
        let address = String(match.output.2).replacingOccurrences(of: "&amp;", with: "&")
        let isForm = match.output.1 != "href"
        if isForm { buttons.insert(address) }
        guard pages.insert(address).inserted, !isForm else { continue }
        // One page of each kind: they differ in their texts.
        let kind = address.prefix { $0 != "?" }.split(separator: "/").first ?? ""
        if !waiting.contains(where: { $0.contains(kind) }), kind != "lessons" || address.hasSuffix("05") {
          waiting.append(address)
        }
      }
    }
    return (pages, buttons)
  }

  @Test func `no address answers a stranger, whatever the method`() async throws {
    try await Door.open { door in
      #expect(await door.post("/exercises/start", "exercise=lesson-04").status == 303)
      let (pages, buttons) = await Self.addresses(door)
      for known in ["/lessons/lesson-05", "/claims", "/runs", "/exercises", "/exercises/lesson-27", "/behaviour"] {
        #expect(pages.contains(known), "\(known)")
      }
      for known in ["/run", "/language", "/exercises/hint", "/exercises/check"] {
        #expect(buttons.contains(known), "\(known)")
      }
      let wrong = "Cookie: workbench-\(door.site.port)=\(String(door.token.reversed()))"
      for address in pages.union(buttons).union(["/run/stop", "/exercises/start"]) {
        for (method, field) in [
          ("GET", "X: y"), ("GET", wrong), ("HEAD", "X: y"), ("POST", wrong), ("POST", "Referer: http://\(door.host)/"),
        ] {
          let head =
            "\(method) \(address) HTTP/1.1\r\nHost: \(door.host)\r\nOrigin: http://\(door.host)\r\n\(field)\r\n\r\n"
          let answer = await door.answer(to: head)
          #expect(answer.status == 403, "\(method) \(address)")
          #expect(answer.body == (method == "HEAD" ? "" : Self.refusal), "\(method) \(address)")
          #expect(answer.field("Set-Cookie") == "")
        }
      }
      #expect(door.site.jobs == 0)
    }
  }

  @Test func `no button works for another origin, or without one`() async throws {
    try await Door.open { door in
      let forms = [
        "/run": "lesson=lesson-05&size=65536", "/run/stop": "", "/language": "language=zh-Hans&to=/",
        "/exercises/start": "exercise=lesson-04", "/exercises/hint": "exercise=lesson-04",
        "/exercises/check": "exercise=lesson-04", "/nowhere": "",
      ]
      for (address, form) in forms {
        for origin in [
          [], ["Origin: null"], ["Origin: http://localhost:\(door.site.port)"], ["Origin: http://a.example"],
        ] {
          let answer = await door.post(address, form, origin)
          #expect(answer.status == 403, "\(address) \(origin)")
          #expect(answer.body.hasPrefix("What starts or stops something"))
        }
        // An address that is looked at changes nothing.
        #expect([200, 404].contains(await door.get("\(address)?\(form)").status), "\(address)")
      }
      let exercise = try door.course.exercise(named: "4")
      #expect(door.student.state(of: exercise) == .new)
      #expect(door.site.jobs == 0)
    }
  }

  @Test(.enabled(if: Self.hasIPv6, "this machine has no ::1"))
  func `the site answers on ::1 as on 127.0.0.1, and asks for the token there`() async throws {
    try await Door.open { door in
      func answer(_ fields: String) async throws -> Answer {
        let visitor = try #require(Visitor(door.site.port, overIPv6: true))
        await visitor.send(Array("GET /claims HTTP/1.1\r\nHost: [::1]:\(door.site.port)\r\n\(fields)\r\n".utf8))
        return Answer(await visitor.read())
      }
      let page = try await answer("\(door.cookie)\r\n")
      #expect(page.status == 200)
      #expect(page.body.contains("N1-01"))
      #expect(try await answer("").status == 403)
    }
  }

  /// True if a socket can be bound to ::1.
  private static let hasIPv6: Bool = {
    let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
      }
    }
  }()
}
