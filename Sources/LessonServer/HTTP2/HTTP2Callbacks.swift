// SPDX-License-Identifier: Apache-2.0
import CNGHTTP2

/// nghttp2's callbacks; each finds its connection in the user data, which outlives the session.
enum HTTP2Callbacks {
  /// A new set of callbacks, to be released by the caller.
  static func make() -> OpaquePointer? {
    var callbacks: OpaquePointer?
    nghttp2_session_callbacks_new(&callbacks)
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, headersBegan)
    nghttp2_session_callbacks_set_on_header_callback(callbacks, fieldReceived)
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frameReceived)
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, frameSent)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, bodyReceived)
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClosed)
    return callbacks
  }

  static let readBody: nghttp2_data_source_read_callback = { _, id, room, size, flags, _, user in
    guard let connection = connection(user), let flags else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
    return connection.readBody(id, into: UnsafeMutableRawBufferPointer(start: room, count: size), flags)
  }

  private static let headersBegan: nghttp2_on_begin_headers_callback = { _, frame, user in
    guard let frame, let connection = connection(user) else { return 0 }
    let id = frame.pointee.hd.stream_id
    if connection.streams[id] == nil { connection.streams[id] = HTTP2Stream(id) }
    return 0
  }

  private static let fieldReceived: nghttp2_on_header_callback = { _, frame, name, nameLength, value, length, _, user in
    guard let frame, let connection = connection(user) else { return 0 }
    let field = HeaderField(
      RequestHead.latin1(UnsafeBufferPointer(start: name, count: nameLength)),
      RequestHead.latin1(UnsafeBufferPointer(start: value, count: length)))
    // Trailers come after the head is in the log and are passed over.
    if let stream = connection.streams[frame.pointee.hd.stream_id], stream.entry == nil { stream.fields.append(field) }
    return 0
  }

  private static let frameReceived: nghttp2_on_frame_recv_callback = { _, frame, user in
    guard let head = frame?.pointee.hd, let connection = connection(user),
      let stream = connection.streams[head.stream_id]
    else { return 0 }
    let isHeaders = head.type == UInt8(NGHTTP2_HEADERS.rawValue)
    guard isHeaders || head.type == UInt8(NGHTTP2_DATA.rawValue) else { return 0 }
    if isHeaders, stream.entry == nil {
      connection.begin(stream)
      connection.answerEarly(stream)
    }
    if head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { connection.answer(stream) }
    return 0
  }

  private static let frameSent: nghttp2_on_frame_send_callback = { _, frame, user in
    guard let head = frame?.pointee.hd, let connection = connection(user),
      head.type == UInt8(NGHTTP2_HEADERS.rawValue) || head.type == UInt8(NGHTTP2_DATA.rawValue)
    else { return 0 }
    let stream = connection.streams[head.stream_id]
    let isCut = stream?.isCut == true && stream?.isComplete == true && head.type == UInt8(NGHTTP2_DATA.rawValue)
    if isCut || head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { connection.hasEnded(head.stream_id) }
    return 0
  }

  private static let bodyReceived: nghttp2_on_data_chunk_recv_callback = { _, _, id, bytes, count, user in
    connection(user)?.streams[id]?.received.update(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
  }

  private static let streamClosed: nghttp2_on_stream_close_callback = { _, id, _, user in
    guard let connection = connection(user), let stream = connection.streams.removeValue(forKey: id) else { return 0 }
    connection.end(stream)
    return 0
  }

  private static func connection(_ user: UnsafeMutableRawPointer?) -> HTTP2Connection? {
    user.map { Unmanaged<HTTP2Connection>.fromOpaque($0).takeUnretainedValue() }
  }
}
