// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc
import Testing

@testable import Transport

@Suite struct TransferMachineTests {
  /// The machine behind a reference, so that an expectation may change it.
  private final class Script {
    private var machine: TransferMachine

    init(_ method: String = "GET", idle: Int64? = nil, total: Int64? = nil) {
      machine = TransferMachine(method: method, idleLimit: idle, totalLimit: total, now: 100)
    }

    var deadline: Int64? { machine.deadline }
    var bodyBytes: Int64 { machine.bodyBytes }
    var isChunked: Bool { machine.isChunked }

    func head(_ text: String) {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        _ = machine.headLine(Array((line + "\n").utf8).span, now: 0)
      }
    }

    func moved(now: Int64) { machine.moved(now: now) }
    func paused() { machine.paused() }
    func resumed(now: Int64) -> Bool { machine.resumed(now: now) }
    func body(_ count: Int, now: Int64 = 1) -> TransferMachine.BodyAction { machine.bodyArrived(count, now: now) }
    func chunks(_ text: String) -> Bool { machine.chunkBytes(Array(text.utf8).span) }

    func bodyStartsAgain() -> Bool { machine.bodyStartsAgain() }

    func wasNotTouched() { machine.wasNotTouched() }

    func connected(unasked: Bool = false, speaksHTTP2: Bool = false) -> TransferMachine.ConnectionAction {
      machine.connected(hasUnaskedBytes: unasked, speaksHTTP2: speaksHTTP2, now: 0)
    }

    func end(
      _ code: CURLcode = CURLE_OK, isContentComplete: Bool = true, isEndReported: Bool = true,
      stream: StreamEnd = StreamEnd()
    ) -> TransferMachine.EndAction {
      machine.curlEnded(
        code, description: "", isContentComplete: isContentComplete, isEndReported: isEndReported, stream: stream)
    }
  }

  private func cause(_ order: TransferMachine.EndAction) -> TransferFailure.Cause? {
    guard case .end(let failure) = order else { return nil }
    return failure?.cause
  }

  @Test func `a whole message is a success`() {
    let machine = Script()
    machine.head("HTTP/1.1 200 OK\nContent-Length: 3\n\n")
    #expect(machine.body(3) == .forward)
    #expect(machine.end(CURLE_OK) == .end(nil))
  }

  @Test func `a head without its blank line is a lost connection, whatever libcurl says`() {
    let machine = Script()
    machine.head("HTTP/1.1 200 OK\nContent-Length: 0\n")
    #expect(cause(machine.end(CURLE_OK)) == .connectionLost)
  }

  @Test func `an interim head alone is a lost connection`() {
    let machine = Script()
    machine.head("HTTP/1.1 100 Continue\n\n")
    #expect(cause(machine.end(CURLE_OK)) == .connectionLost)
  }

  @Test func `too few bytes are a lost connection`() {
    let machine = Script()
    machine.head("HTTP/1.1 200 OK\nContent-Length: 3\n\n")
    _ = machine.body(2)
    #expect(cause(machine.end(CURLE_OK)) == .connectionLost)
  }

  @Test func `without length or chunks a TLS server has to say that the body is complete (TL-16)`() {
    for (head, isEndReported, isWhole) in [
      ("HTTP/1.1 200 OK\n\n", true, true), ("HTTP/1.1 200 OK\n\n", false, false),
      ("HTTP/1.1 200 OK\nContent-Length: 1\n\n", false, true), ("HTTP/1.1 204 No\n\n", false, true),
    ] {
      let machine = Script()
      machine.head(head)
      _ = machine.body(1)
      #expect(cause(machine.end(isEndReported: isEndReported)) == (isWhole ? nil : .connectionLost), "\(head)")
    }
  }

  @Test func `a coding that did not end is undecodable`() {
    let machine = Script()
    machine.head("HTTP/1.1 200 OK\n\n")
    #expect(cause(machine.end(isContentComplete: false)) == .undecodableContent)
  }

  @Test func `a 205 has its body dropped`() {
    let machine = Script()
    machine.head("HTTP/1.1 205 Reset\nContent-Length: 3\n\n")
    #expect(machine.body(3) == .drop)
    #expect(machine.end(CURLE_OK) == .end(nil))
  }

  @Test func `our own verdict comes before libcurl's`() {
    let machine = Script()
    machine.head("HTTP/1.1 200 OK\nContent-Length: 1, 2\n\n")
    #expect(cause(machine.end(CURLE_WRITE_ERROR)) == .malformedResponse)
  }

  @Test func `a body that was begun starts again for a PUT, and for a POST only once the server has answered`() {
    let (put, post, refused) = (Script("PUT"), Script("POST"), Script("POST"))
    #expect(put.bodyStartsAgain())
    #expect(!post.bodyStartsAgain())
    #expect(cause(post.end(CURLE_SEND_FAIL_REWIND)) == .connectionLost)
    refused.head("HTTP/1.1 417 Expectation Failed\nContent-Length: 0\n\n")
    #expect(refused.bodyStartsAgain())
  }

  @Test func `a paused transfer holds what comes until it is resumed once`() {
    let machine = Script()
    machine.head("HTTP/1.1 200 OK\n\n")
    machine.paused()
    #expect(machine.body(3) == .hold)
    #expect(machine.resumed(now: 2))
    #expect(!machine.resumed(now: 3))
    #expect(machine.body(3, now: 4) == .forward)
    #expect(machine.bodyBytes == 3)
  }

  @Test func `the idle limit starts with the connection, restarts with each byte and stands still in a pause`() {
    let machine = Script(idle: 50)
    #expect(machine.deadline == nil)
    machine.moved(now: 200)
    #expect(machine.deadline == 250)
    machine.head("HTTP/1.1 200 OK\n\n")
    _ = machine.body(1, now: 300)
    #expect(machine.deadline == 350)
    machine.paused()
    #expect(machine.deadline == nil)
    _ = machine.resumed(now: 400)
    #expect(machine.deadline == 450)
  }

  @Test func `the total limit runs from the start and in pauses, too`() {
    let machine = Script(idle: 50, total: 1000)
    #expect(machine.deadline == 1100)
    machine.moved(now: 1090)
    #expect(machine.deadline == 1100)
    machine.paused()
    #expect(machine.deadline == 1100)
  }

  @Test func `a connection that talks before it is asked is left, four times`() {
    let machine = Script()
    for _ in 0..<4 {
      #expect(machine.connected(unasked: true) == .abandon)
      #expect(machine.end(CURLE_ABORTED_BY_CALLBACK) == .again)
    }
    #expect(machine.connected(unasked: true) == .abandon)
    #expect(cause(machine.end(CURLE_ABORTED_BY_CALLBACK)) == .connectionLost)
  }

  @Test func `libcurl may repeat a GET once, but never a POST whose head may have been sent`() {
    let get = Script("GET")
    #expect(get.connected() == .send)
    #expect(get.connected() == .send)
    #expect(get.connected() == .abandon)
    let post = Script("POST")
    #expect(post.connected() == .send)
    #expect(post.connected() == .abandon)
    #expect(cause(post.end(CURLE_ABORTED_BY_CALLBACK)) == .connectionLost)
  }

  @Test func `a POST goes out again five times, each time once the server has said that it did not work on it (H2-10)`()
  {
    let (refused, lost) = (Script("POST"), Script("POST"))
    #expect(refused.connected() == .send)
    for _ in 1...5 {
      refused.wasNotTouched()
      #expect(refused.end(CURLE_HTTP2) == .again)
      #expect(refused.connected() == .send)
    }
    refused.wasNotTouched()
    #expect(cause(refused.end(CURLE_HTTP2)) == .connectionLost)
    #expect(lost.connected() == .send)
    lost.wasNotTouched()
    #expect(lost.connected() == .send)
    // What the server said of the first connection says nothing of the second.
    #expect(lost.connected() == .abandon)
  }

  @Test(arguments: [CURLE_HTTP2_STREAM, CURLE_HTTP2, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR])
  func `a whole answer to an upload counts, however its connection of HTTP/2 ends behind it (H2-01)`(code: CURLcode) {
    let upload = StreamEnd(isStream: true, isUpload: true)
    for bytes in [2, 1] {
      let machine = Script("POST")
      #expect(machine.connected(speaksHTTP2: true) == .send)
      machine.head("HTTP/2 200 \nContent-Length: 2\n\n")
      _ = machine.body(bytes)
      #expect(cause(machine.end(code, stream: upload)) == (bytes == 2 ? nil : .connectionLost))
    }
  }

  @Test func `an answer that came before the request was sent counts`() {
    let machine = Script("POST")
    machine.head("HTTP/1.1 413 Too Large\nContent-Length: 2\n\n")
    _ = machine.body(2)
    #expect(machine.end(CURLE_SEND_ERROR) == .end(nil))
  }

  @Test func `chunks are believed only when their end has come`() {
    let machine = Script()
    machine.head("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n")
    #expect(machine.isChunked)
    #expect(machine.chunks("3\r\nabc\r\n0\r\n\r"))
    _ = machine.body(3)
    #expect(cause(machine.end()) == .connectionLost)
    #expect(machine.chunks("\n"))
    #expect(machine.end() == .end(nil))
  }

  @Test func `a fault of the chunks comes before libcurl's word`() {
    let machine = Script()
    machine.head("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n")
    #expect(!machine.chunks("xyz\r\n"))
    #expect(cause(machine.end(CURLE_RECV_ERROR)) == .malformedResponse)
  }

  @Test(arguments: [
    (CURLE_COULDNT_RESOLVE_HOST, TransferFailure.Cause.cannotResolveHost), (CURLE_COULDNT_CONNECT, .cannotConnect),
    (CURLE_GOT_NOTHING, .connectionLost), (CURLE_RECV_ERROR, .connectionLost), (CURLE_PARTIAL_FILE, .connectionLost),
    (CURLE_UNSUPPORTED_PROTOCOL, .malformedResponse), (CURLE_WEIRD_SERVER_REPLY, .malformedResponse),
    (CURLE_OPERATION_TIMEDOUT, .timedOut), (CURLE_SSL_CONNECT_ERROR, .secureConnectionFailed),
  ]) func `libcurl's numbers have causes`(code: CURLcode, expected: TransferFailure.Cause) {
    #expect(FailureMap.cause(code, FailureMap.Progress()) == expected)
  }

  @Test(
    arguments: [("GET", true, true), ("GET", false, false), ("POST", true, false)],
    [
      CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY,
    ])
  func `bytes beyond the answer before send a request once more, on a new connection`(
    _ request: (method: String, isReused: Bool, isRepeated: Bool), _ code: CURLcode
  ) {
    var machine = TransferMachine(method: request.method, use: .exchange, idleLimit: 10, totalLimit: 100)
    #expect(machine.connected(hasUnaskedBytes: false, isReused: request.isReused, now: 1) == .send)
    let first = machine.curlEnded(code, description: "no head")
    #expect(request.isRepeated ? first == .again : cause(first) == .malformedResponse)
    guard request.isRepeated else { return }
    #expect(machine.needsNewConnection)
    #expect(machine.connected(hasUnaskedBytes: false, isReused: false, now: 2) == .send)
    #expect(cause(machine.curlEnded(code, description: "no head")) == .malformedResponse)
  }

  @Test func `a connection that is not made keeps the system's reason`() {
    var machine = TransferMachine(method: "GET", use: .bytes, idleLimit: 10, totalLimit: 100)
    var failure = TransferFailure(.cannotConnect, curlCode: 7, description: "no way")
    failure.systemError = EHOSTUNREACH
    #expect(machine.curlEnded(CURLE_COULDNT_CONNECT, description: "no way", systemError: EHOSTUNREACH) == .end(failure))
  }

  @Test(arguments: [
    (9, TransferFailure.Cause.certificateNotYetValid), (10, .certificateExpired), (18, .certificateUntrusted),
    (19, .certificateUnknownRoot), (20, .certificateUnknownRoot), (0, .certificateUntrusted),
  ]) func `a certificate's refusal tells why`(result: Int, expected: TransferFailure.Cause) {
    let progress = FailureMap.Progress(verifyResult: result)
    #expect(FailureMap.cause(CURLE_PEER_FAILED_VERIFICATION, progress) == expected)
  }

  @Test func `no time counts for a transfer that outlives its transport`() {
    var machine = TransferMachine(method: "GET", use: .bytes, idleLimit: 10, totalLimit: 100)
    machine.moved(now: 1)
    #expect(machine.deadline == 11)
    machine.becameIndependent()
    machine.moved(now: 2)
    #expect(machine.deadline == nil)
  }
}
