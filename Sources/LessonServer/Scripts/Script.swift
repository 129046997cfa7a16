// SPDX-License-Identifier: Apache-2.0

/// How the server ends a connection.
public enum Ending: Sendable, Hashable, Codable {
  /// In order: what was sent arrives, then the end (FIN); what the client still sends is read and dropped.
  case fin
  /// Like `fin`, but over TLS without the close_notify that tells an end from a cut (RFC 9112 section 9.8).
  case bareFin
  /// By a reset (RST); what was sent and not yet received may be lost.
  case rst
  /// Only the server's direction ends (FIN); it reads until the client closes.
  case halfClose
  /// By a plain close: FIN, or RST when bytes of the client's lie unread or still come.
  case abruptClose
}

/// How fast the bytes of the following steps leave.
public enum Pace: Sendable, Hashable {
  /// As fast as the connection takes them.
  case full
  /// At most this many bytes a second, spread evenly.
  case bytesPerSecond(Int)
  /// This many bytes at a time, with a pause after each piece.
  case drip(bytes: Int, pause: Duration)
}

/// One step of a server on a connection.
public enum Step: Sendable {
  /// Sends these bytes as they are.
  case bytes([UInt8])
  /// Sends a well-formed response (without its body when the request was HEAD).
  case response(Response)
  /// Sends this half-open range of the stream of this seed, bare.
  case seeded(seed: UInt64, range: Range<Int64>)
  /// Sends these bytes again and again, this many times, or without end when nil.
  case repeated([UInt8], times: Int?)
  /// Sets the pace of all that follows.
  case pace(Pace)
  /// From here on counts what is sent; after this many bytes ends the connection.
  case cut(after: Int64, by: Ending)
  /// Waits.
  case delay(Duration)
  /// Reads the rest of the request's body and drops it, noting its size and checksum in the log; sends no 100.
  case readBody
  /// Reads the request's body and gives each piece to this function, on the connection's thread; with `atMost` only so
  /// many bytes, and then resets the connection.
  case receive(@Sendable (UnsafeRawBufferPointer) -> Void, atMost: Int64?)
  /// Sends the response that this function makes once it is its turn.
  case computed(@Sendable () -> Response)
  /// Does nothing until the client closes or the server stops, then ends the connection.
  case stall
  /// Waits until the test opens the gate of this name, the client closes, or the server stops.
  case gate(String)
  /// Waits this long, or until the client closes, which ends the connection.
  case hold(Duration)
  /// Ends the connection.
  case end(Ending)
  /// Sends back whatever comes, until the client ends its direction.
  case echo
  /// Reads a line, and drops it.
  case readLine
  /// Speaks TLS from here on, by the server's settings: for scripts that wait for no request, as after STARTTLS (RFC
  /// 3207).
  case beginTLS
  /// Opens the WebSocket that the request asks for (RFC 6455 section 4.2.2), with this sub-protocol, or answers 400.
  /// The steps that follow are its frames: `SocketFrame.bytes` as steps, or `echoMessages`.
  case acceptSocket(protocol: String?)
  /// Reads a WebSocket's frames: sends messages back in frames of at most so many bytes, answers pings and the close
  /// frame, and ends the connection after that.
  case echoMessages(fragment: Int)

  // Of HTTP/2 alone; over HTTP/1.1 they end the connection.

  /// Ends the stream with RST_STREAM and this code (RFC 9113 section 7); behind a response, once that has been sent.
  case resetStream(UInt32)
  /// The same in a TLS record of its own, behind a response that has gone out.
  case resetStreamApart(UInt32)
  /// Ends the stream with RST_STREAM and this code in place of the response's END_STREAM, in a TLS record of its own; the
  /// response before it needs a body.
  case cutStream(UInt32)
  /// Says that no stream from the one of this request on is worked on, and that no more are taken (GOAWAY without error).
  case goAway
  /// Ends the connection with all its streams, without a word.
  case drop

  /// Sends the text in UTF-8.
  public static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }
}

/// The server's steps for one request, in order.
///
/// After the last step the connection lives on and takes the next request, unless the request asked for its end or a
/// response is delimited by it.
public struct Script: Sendable, ExpressibleByArrayLiteral {
  /// The steps, in order.
  public var steps: [Step]
  /// True if the whole request body is read before the first step (and a 100 sent where the client expects it).
  public var readsBodyFirst: Bool

  /// A script of these steps.
  public init(_ steps: [Step], readsBodyFirst: Bool = true) {
    self.steps = steps
    self.readsBodyFirst = readsBodyFirst
  }

  /// A script of these steps that reads the request's body first.
  public init(arrayLiteral steps: Step...) {
    self.init(steps)
  }

  /// The script that sends this response.
  public static func response(_ response: Response) -> Script { [.response(response)] }

  /// The same script, its connection ended after this many sent bytes.
  public func cut(after count: Int64, by ending: Ending) -> Script {
    Script([.cut(after: count, by: ending)] + steps, readsBodyFirst: readsBodyFirst)
  }

  /// The same script at another pace.
  public func paced(_ pace: Pace) -> Script {
    Script([.pace(pace)] + steps, readsBodyFirst: readsBodyFirst)
  }
}
