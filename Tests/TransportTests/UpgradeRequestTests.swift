// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPRules
@testable import Transport

@Suite struct UpgradeRequestTests {
  @Test(arguments: [
    ("http://a/b?c", "a", "/b?c"), ("https://a:443/", "a", "/"), ("http://a:443/", "a:443", "/"),
    ("http://[::1]:80/x", "[::1]", "/x"), ("http://a?b/c", "a", "/?b/c"), ("http://a:8080", "a:8080", "/"),
  ])
  func `authority and target are those of the URL`(url: String, authority: String, target: String) {
    let parts = UpgradeRequest.parts(of: url)
    #expect(parts.authority == authority && parts.target == target)
  }

  @Test func `a head has its line, the upgrade and the fields`() {
    var request = TransferRequest(url: "http://a/b")
    request.fields = [HeaderField(name: "X", value: "1"), HeaderField(name: "Y", value: "")]
    let text = String(decoding: UpgradeRequest.head(of: request, to: "websocket"), as: UTF8.self)
    #expect(text == "GET /b HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX: 1\r\nY: \r\n\r\n")
  }

  @Test func `101 is a final head where it was asked for`() {
    var (asked, unasked) = (
      HeadJudge(requestMethod: "GET", allowsUpgrade: true),
      HeadJudge(requestMethod: "GET")
    )
    func judge(_ judge: inout HeadJudge, _ line: String) -> HeadJudge.Verdict {
      judge.line(Array(line.utf8).span)
    }
    #expect(judge(&asked, "HTTP/1.1 101 Switching\r\n") == .more)
    guard case .final(let head) = judge(&asked, "\r\n") else {
      Issue.record("101 was no final head")
      return
    }
    #expect(head.status == 101)
    guard case .fault = judge(&unasked, "HTTP/1.1 101 Switching\r\n") else {
      Issue.record("101 was taken though nobody asked")
      return
    }
  }

  @Test func `a connection that was handed over may be silent, but not beyond the whole limit`() {
    var machine = TransferMachine(
      method: "GET", use: .upgrade(to: "websocket"), idleLimit: 10, totalLimit: 500, now: 100)
    machine.moved(now: 110)
    #expect(machine.deadline == 120)
    machine.handedOver()
    machine.moved(now: 200)
    #expect(machine.deadline == 600)
    machine.paused()
    _ = machine.resumed(now: 300)
    #expect(machine.deadline == 600)
  }

  @Test func `bytes that a server sends first are no fault where there is no request`() {
    for use in [ConnectionUse.bytes, .upgrade(to: "websocket")] {
      var machine = TransferMachine(method: "GET", use: use)
      let isConnected = machine.isConnected
      let order = machine.connected(hasUnaskedBytes: true, now: 0)
      #expect(!isConnected && order == .send && machine.isConnected)
    }
  }
}
