// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Why a connection's thread stops serving it.
enum ConnectionEnd: Error {
  /// The client closed, the connection broke, or the server stops.
  case gone
  /// The script says so.
  case wanted(Ending)
}

/// The context that all connections of a server share.
struct ServerContext: Sendable {
  let routes: RouteTable
  let log: ServerLog
  let gates: Gates
  /// The script for every connection as soon as its first bytes have come, in place of all else.
  var opening: Script?
}

/// One connection, served by one thread from accept to close: reads a head, finds its route, performs the script.
///
/// A thread per connection and blocking calls keep a script what it reads like: one step after the other. The price is
/// a small stack for each connection; 6,000 of them are held without trouble.
final class Connection {
  private static let longestHead = 1 << 20

  let id: Int
  let context: ServerContext
  /// Held because OpenSSL's connection points into it.
  private let tls: TLSContext?
  private(set) var wire: Wire
  var input = InputBuffer(capacity: 4096)
  /// The head before this one with its route, because a client that repeats itself is common and worth no parsing.
  private var last: (head: RequestHead, route: RouteTable.Bound?)?
  private var turn = 0

  // State of the request being answered.
  var pace = Pace.full
  var cut: (left: Int64, ending: Ending)?
  var sent: Int64 = 0
  var status: Int?
  var answerHead = AnswerHead()
  /// When the first bytes of the answer that is no interim one were sent.
  var answered: MonotonicTime?
  var body = BodyChecksum()
  var bodyState = BodyState.read
  /// The function that gets the request's body, and how much of it before the reading ends.
  var receiver: (take: (UnsafeRawBufferPointer) -> Void, left: Int64?)?

  /// How much of the request's body is still to come.
  enum BodyState {
    case unread(RequestHead.Framing)
    case read
  }

  init(id: Int, descriptor: CInt, tls: TLSContext?, context: ServerContext) {
    self.id = id
    self.context = context
    self.tls = tls
    // A script that waits for no request says itself when TLS begins.
    wire = Wire(descriptor: descriptor, tls: context.opening == nil ? tls?.makeConnection(over: descriptor) : nil)
  }

  /// Serves until the end; the descriptor is then ready to be closed.
  func run() {
    if let opening = context.opening { return play(opening) }
    do throws(ConnectionEnd) {
      if try shakeHands()?.protocolName == "h2" {
        HTTP2Connection(self).run()
        return wire.sayCloseNotify()
      }
      while true {
        let (head, route) = try nextRequest()
        if let fixed = route?.fixed, head.framing == .length(0) {
          try answer(head, fixed)
        } else {
          try answer(head, route)
        }
      }
    } catch {
      finish(error)
    }
  }

  /// Performs the TLS handshake on a TLS connection and returns what both sides agreed on.
  private func shakeHands() throws(ConnectionEnd) -> TLSRecord? {
    guard let record = wire.shakeHands() else { return nil }
    context.log.socketSecured(id, record)
    guard record.failure == nil else { throw .gone }
    return record
  }

  /// Speaks TLS from here on; bytes that arrived before and are unread count as TLS, too.
  func beginTLS() throws(ConnectionEnd) {
    wire.secure(tls?.makeConnection(over: wire.descriptor))
    _ = try shakeHands()
  }

  /// Performs a script that waits for no request.
  private func play(_ opening: Script) {
    guard wire.waitForBytes(milliseconds: -1) == true else { return }
    do throws(ConnectionEnd) {
      for step in opening.steps { try perform(step, RequestHead([])) }
      finish(.wanted(.fin))
    } catch {
      finish(error)
    }
  }

  private func finish(_ end: ConnectionEnd) {
    guard case .wanted(let ending) = end else { return }
    switch ending {
    case .abruptClose: break
    case .rst: wire.resetOnClose()
    case .fin, .bareFin:
      if ending == .fin { wire.sayCloseNotify() }
      wire.endSending()
      wire.drain(atMost: .seconds(2))
    case .halfClose:
      wire.sayCloseNotify()
      wire.endSending()
      wire.drain(atMost: nil)
    }
  }

  // MARK: - Heads

  private func nextRequest() throws(ConnectionEnd) -> (RequestHead, RouteTable.Bound?) {
    let length = try receiveHead()
    turn += 1
    defer { input.consume(length) }
    if let last, last.head.raw.count == length, let bytes = input.bytes.baseAddress,
      last.head.raw.withUnsafeBytes({ raw in raw.baseAddress.map { memcmp(bytes, $0, length) } }) == 0
    {
      return last
    }
    let head = RequestHead(Array(input.bytes.prefix(length)))
    let new = (head, context.routes.find(head))
    last = new
    return new
  }

  /// Reads on until a whole head is there; answers its length with the empty line.
  private func receiveHead() throws(ConnectionEnd) -> Int {
    var line = 0
    while true {
      while let next = input.endOfLine(from: line) {
        let isEmpty = next - line == 1 || (next - line == 2 && input.bytes[line] == 13)
        if isEmpty, line > 0 { return next }
        if isEmpty {
          // RFC 9112 section 2.2: empty lines before a request line are passed over.
          input.consume(next)
        } else {
          line = next
        }
      }
      guard input.count < Self.longestHead else { throw .wanted(.rst) }
      try receiveMore()
    }
  }

  func receiveMore(_ minimum: Int = 2048) throws(ConnectionEnd) {
    let count = wire.receive(input.room(minimum))
    guard count > 0 else { throw .gone }
    input.append(count)
  }

  // MARK: - Answers

  /// The fast path. The server notes the answer before it sends it, so that a client with its answer finds it in the
  /// log.
  private func answer(_ head: RequestHead, _ fixed: RouteTable.Fixed) throws(ConnectionEnd) {
    let bytes = head.method == "HEAD" ? fixed.head : fixed.get
    context.log.note(
      ServerLog.Entry(
        socket: id, head: head, status: fixed.status, answerHead: fixed.head, bytesSent: Int64(bytes.count)))
    try send(bytes)
    if !head.keepsAlive { throw .wanted(.fin) }
  }

  private func answer(_ head: RequestHead, _ route: RouteTable.Bound?) throws(ConnectionEnd) {
    let entry = context.log.begin(ServerLog.Entry(socket: id, head: head))
    startRequest(head)
    defer {
      context.log.end(entry) { entry in
        (entry.status, entry.answered, entry.answerHead) = (status, answered, answerHead.whole)
        entry.bytesSent = sent
        entry.body = body
      }
    }
    let script = try script(for: head, route)
    if script.readsBodyFirst { try readBody(head, sendingContinue: true) }
    for step in script.steps { try perform(step, head) }
    try readBody(head)
    if !head.keepsAlive { throw .wanted(.fin) }
  }

  private func startRequest(_ head: RequestHead) {
    pace = .full
    cut = nil
    sent = 0
    (status, answered, answerHead) = (nil, nil, AnswerHead())
    body = BodyChecksum()
    bodyState = head.framing == .length(0) ? .read : .unread(head.framing)
  }

  private func script(for head: RequestHead, _ route: RouteTable.Bound?) throws(ConnectionEnd) -> Script {
    guard let route else {
      return .response(.text("The lesson server has no route \(head.method) \(head.path).\n", 404))
    }
    if let script = route.nextScript() { return script }
    switch route.route.answer {
    case .early(let function): return function(request(head))
    case .function(let function):
      try readBody(head, sendingContinue: true)
      return function(request(head))
    case .script, .sequence: return []
    }
  }

  private func request(_ head: RequestHead) -> Request {
    Request(head: head, connection: id, turn: turn, bodyBytes: body.count, bodyChecksum: body.value)
  }
}
