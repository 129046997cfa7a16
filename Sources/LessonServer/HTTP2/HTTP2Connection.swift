// SPDX-License-Identifier: Apache-2.0
import CNGHTTP2
import Glibc
import Synchronization

/// Many streams on one connection: nghttp2 does the framing, one thread does everything else.
///
/// The thread never blocks for one stream alone: delays and rates are instants at which a stream continues, and it
/// waits for the first of them or for bytes from the client. While it sends it looks for arrived bytes after every 64
/// KiB. Steps that are about raw bytes have no meaning here and end their stream with INTERNAL_ERROR.
final class HTTP2Connection {
  private static let batchSize = 64 << 10

  let connection: Connection
  var session: OpaquePointer?
  var streams: [Int32: HTTP2Stream] = [:]
  /// True if a script ends the connection.
  var isDropped = false
  private var batch: [UInt8] = []

  init(_ connection: Connection) {
    self.connection = connection
  }

  deinit {
    nghttp2_session_del(session)
  }

  /// Serves until the client or the server ends the connection.
  func run() {
    start()
    defer { finishLog() }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.batchSize, alignment: 16)
    defer { room.deallocate() }
    while nghttp2_session_want_read(session) != 0 || nghttp2_session_want_write(session) != 0 {
      guard !isDropped, sendBatch() else { return }
      let wait = nghttp2_session_want_write(session) != 0 ? 0 : millisecondsToNextStream
      switch connection.wire.waitForBytes(milliseconds: wait) {
      case true?:
        let count = connection.wire.receive(room)
        guard count > 0, nghttp2_session_mem_recv(session, room.baseAddress, count) >= 0 else { return }
      case false?: break
      case nil: return
      }
      wakeStreams()
    }
  }

  private func start() {
    let callbacks = HTTP2Callbacks.make()
    defer { nghttp2_session_callbacks_del(callbacks) }
    nghttp2_session_server_new(&session, callbacks, Unmanaged.passUnretained(self).toOpaque())
    let settings = [
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: 1000),
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: 1 << 20),
    ]
    nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, 16 << 20)
  }

  /// Requests that were cut off end in the log when the connection does.
  private func finishLog() {
    for stream in streams.values { end(stream) }
    streams = [:]
  }

  // MARK: - Sending

  /// Sends about 64 KiB of what nghttp2 has ready; false when the connection is lost.
  private func sendBatch() -> Bool {
    batch.removeAll(keepingCapacity: true)
    while batch.count < Self.batchSize {
      var bytes: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(session, &bytes)
      guard count >= 0 else { return false }
      guard count > 0, let bytes else { break }
      batch.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }
    return batch.withUnsafeBytes { batch in
      var next = 0
      while next < batch.count {
        let count = connection.wire.send(UnsafeRawBufferPointer(rebasing: batch[next...]))
        guard count > 0 else { return false }
        connection.context.log.noteSent(count)
        next += count
      }
      return true
    }
  }

  // MARK: - Time

  private var millisecondsToNextStream: CInt {
    guard let due = streams.values.compactMap(\.due).min() else { return -1 }
    return CInt(clamping: max(0, (due.nanoseconds - MonotonicTime.now().nanoseconds + 999_999) / 1_000_000))
  }

  private func wakeStreams() {
    let now = MonotonicTime.now()
    for stream in streams.values {
      guard let due = stream.due, due <= now else { continue }
      stream.due = nil
      if stream.hasEnded {
        sayLastWord(of: stream)
      } else if stream.status == nil {
        advance(stream)
      } else {
        nghttp2_session_resume_data(session, stream.id)
      }
    }
  }

  // MARK: - The log

  func begin(_ stream: HTTP2Stream) {
    stream.entry = connection.context.log.begin(ServerLog.Entry(socket: connection.id, head: stream.head))
  }

  func end(_ stream: HTTP2Stream) {
    guard let entry = stream.entry else { return }
    connection.context.log.end(entry) { entry in
      (entry.status, entry.answered, entry.answerHead) = (stream.status, stream.answered, stream.answerHead)
      entry.bytesSent = stream.sent
      entry.body = stream.received
    }
  }
}
