// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonServer

/// A tiny blocking HTTP/1.1 client on a plain socket, so that a server test trusts nothing but the socket.
final class TestClient {
  /// A response as it came: its head's bytes, status and body bytes.
  struct Answer {
    var head: String
    var body: [UInt8]
    var status: Int { Int(head.prefix { $0 != "\r\n" }.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    subscript(name: String) -> String? {
      for line in head.components(separatedBy: "\r\n").dropFirst() {
        let sides = line.split(separator: ":", maxSplits: 1)
        if sides.count == 2, sides[0].lowercased() == name.lowercased() {
          return sides[1].trimmingCharacters(in: .whitespaces)
        }
      }
      return nil
    }
  }

  /// How a connection ended.
  enum End: Equatable {
    case fin, reset, timeout
  }

  let descriptor: CInt
  private var pending: [UInt8] = []

  /// Connects to 127.0.0.1; no read waits longer than the limit.
  init(_ server: LessonServer, limit: Int = 20) throws {
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var time = timeval(tv_sec: limit, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    let outcome = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard outcome == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit {
    close(descriptor)
  }

  func send(_ bytes: [UInt8]) {
    var next = 0
    while next < bytes.count {
      let count = bytes[next...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      next += count
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends a request without a body and reads the whole response.
  func get(_ target: String, method: String = "GET", fields: String = "") throws -> Answer {
    send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
    return try readAnswer(hasBody: method != "HEAD")
  }

  /// Reads one response; its body ends by Content-Length, chunks or the end of the connection.
  func readAnswer(hasBody: Bool = true) throws -> Answer {
    let head = try readHead()
    var answer = Answer(head: head, body: [])
    guard hasBody, answer.status >= 200, answer.status != 204, answer.status != 304 else { return answer }
    if answer["Transfer-Encoding"] == "chunked" {
      answer.body = try readChunks()
    } else if let length = answer["Content-Length"].flatMap({ Int($0) }) {
      answer.body = try read(length)
    } else {
      answer.body = readToEnd().bytes
    }
    return answer
  }

  func readHead() throws -> String {
    while true {
      if let end = pending.firstRange(of: [13, 10, 13, 10]) {
        let head = pending[..<end.lowerBound]
        pending.removeSubrange(..<end.upperBound)
        return String(decoding: head, as: UTF8.self)
      }
      try more()
    }
  }

  func read(_ count: Int) throws -> [UInt8] {
    while pending.count < count { try more() }
    defer { pending.removeFirst(count) }
    return Array(pending.prefix(count))
  }

  /// Reads to the end of the connection and says how it ended.
  func readToEnd() -> (bytes: [UInt8], end: End) {
    while true {
      let count = receive()
      if count > 0 { continue }
      defer { pending = [] }
      return (pending, count == 0 ? .fin : errno == EAGAIN ? .timeout : .reset)
    }
  }

  /// Reads until so many bytes are there, the connection ends, or nothing comes for the time limit.
  func readSome(atMost limit: Int) -> (bytes: [UInt8], end: End) {
    while pending.count < limit {
      let count = receive()
      if count > 0 { continue }
      return (pending, count == 0 ? .fin : errno == EAGAIN ? .timeout : .reset)
    }
    return (pending, .timeout)
  }

  private func readChunks() throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let size = Int(try readLine().prefix { $0 != ";" }, radix: 16) ?? 0
      if size == 0 { break }
      body += try read(size)
      _ = try readLine()
    }
    while try !readLine().isEmpty {}
    return body
  }

  private func readLine() throws -> String {
    while true {
      if let end = pending.firstRange(of: [13, 10]) {
        let line = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        pending.removeSubrange(..<end.upperBound)
        return line
      }
      try more()
    }
  }

  private func more() throws {
    let count = receive()
    if count == 0 { throw POSIXError(.EPIPE) }
    if count < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  private func receive() -> Int {
    withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 16) { room in
      let count = recv(descriptor, room.baseAddress, room.count, 0)
      if count > 0 { pending.append(contentsOf: room[..<count]) }
      return count
    }
  }
}

/// A started server on a port of the system's choice.
func startedServer(_ routes: [Route] = Route.standard) throws -> LessonServer {
  let server = LessonServer(routes: routes)
  try server.start()
  return server
}

/// Runs a blocking body on a thread of its own, so that the pool's threads stay free. SIGPIPE is blocked there, because
/// OpenSSL writes without suppressing it.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { done in
    Thread.detachNewThread {
      var pipe = sigset_t()
      sigemptyset(&pipe)
      sigaddset(&pipe, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &pipe, nil)
      done.resume(with: Result { try body() })
    }
  }
}
