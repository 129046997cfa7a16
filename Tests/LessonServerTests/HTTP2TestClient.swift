// SPDX-License-Identifier: Apache-2.0
import CNGHTTP2
import LessonServer

/// A blocking HTTP/2 client: submits requests, then reads until all their streams are closed.
final class HTTP2TestClient {
  /// What came on one stream.
  struct Answer {
    var fields: [String: String] = [:]
    var body: [UInt8] = []
    var errorCode: UInt32?
    var status: Int { Int(fields[":status"] ?? "") ?? 0 }
  }

  private let tls: TLSTestClient
  private var session: OpaquePointer?
  private(set) var answers: [Int32: Answer] = [:]
  /// Streams in the order in which they closed.
  private(set) var closed: [Int32] = []
  private var uploads: [Int32: [UInt8]] = [:]

  init(_ server: LessonServer, trusting pem: String) throws {
    tls = try TLSTestClient(server, trusting: pem, offering: ["h2"])
    var callbacks: OpaquePointer?
    nghttp2_session_callbacks_new(&callbacks)
    defer { nghttp2_session_callbacks_del(callbacks) }
    nghttp2_session_callbacks_set_on_header_callback(callbacks) { _, frame, name, nameLength, value, length, _, user in
      guard let id = frame?.pointee.hd.stream_id else { return 0 }
      let name = String(decoding: UnsafeBufferPointer(start: name, count: nameLength), as: UTF8.self)
      let value = String(decoding: UnsafeBufferPointer(start: value, count: length), as: UTF8.self)
      HTTP2TestClient.of(user)?.answers[id, default: Answer()].fields[name] = value
      return 0
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, user in
      HTTP2TestClient.of(user)?.answers[id, default: Answer()].body += UnsafeBufferPointer(start: bytes, count: count)
      return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, user in
      HTTP2TestClient.of(user)?.answers[id, default: Answer()].errorCode = code
      HTTP2TestClient.of(user)?.closed.append(id)
      return 0
    }
    nghttp2_session_client_new(&session, callbacks, Unmanaged.passUnretained(self).toOpaque())
    nghttp2_submit_settings(session, 0, nil, 0)
  }

  deinit {
    nghttp2_session_del(session)
  }

  /// Submits a request and answers its stream; `body` is sent when it is not empty.
  @discardableResult
  func submit(_ path: String, method: String = "GET", body: [UInt8] = []) -> Int32 {
    let fields = [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)]
    var text = fields.flatMap { Array($0.0.utf8) + Array($0.1.utf8) }
    var provider = nghttp2_data_provider()
    provider.read_callback = { _, id, room, size, flags, _, user in
      guard let client = HTTP2TestClient.of(user), let rest = client.uploads[id] else { return 0 }
      let count = min(size, rest.count)
      UnsafeMutableRawBufferPointer(start: room, count: size).copyBytes(from: rest.prefix(count))
      client.uploads[id] = Array(rest.dropFirst(count))
      if count == rest.count { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
      return count
    }
    let id = text.withUnsafeMutableBufferPointer { text -> Int32 in
      guard var next = text.baseAddress else { return -1 }
      let values = fields.map { name, value in
        defer { next += name.utf8.count + value.utf8.count }
        return nghttp2_nv(
          name: next, value: next + name.utf8.count, namelen: name.utf8.count, valuelen: value.utf8.count, flags: 0)
      }
      return withUnsafePointer(to: &provider) { provider in
        nghttp2_submit_request(session, nil, values, values.count, body.isEmpty ? nil : provider, nil)
      }
    }
    uploads[id] = body
    return id
  }

  /// Sends and reads until this many streams are closed or the connection has ended.
  func run(untilClosed count: Int) {
    while closed.count < count {
      flush()
      let bytes = tls.receive()
      guard !bytes.isEmpty, nghttp2_session_mem_recv(session, bytes, bytes.count) >= 0 else { return }
    }
    flush()
  }

  func flush() {
    var bytes: UnsafePointer<UInt8>?
    while case let count = nghttp2_session_mem_send(session, &bytes), count > 0 {
      tls.send(UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  private static func of(_ user: UnsafeMutableRawPointer?) -> HTTP2TestClient? {
    user.map { Unmanaged<HTTP2TestClient>.fromOpaque($0).takeUnretainedValue() }
  }
}
