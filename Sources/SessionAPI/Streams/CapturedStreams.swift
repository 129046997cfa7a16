// SPDX-License-Identifier: Apache-2.0
import Foundation
import URLLoading

/// The reading side of a captured connection.
final class CapturedInputStream: InputStream {
  private let side: CapturedSide

  init(_ connection: CapturedConnection) {
    side = CapturedSide(.read, of: connection)
    super.init(data: Data())
    side.stream = self
  }

  deinit {
    side.close()
  }

  override func open() { side.open() }
  override func close() { side.close() }
  override var streamStatus: Stream.Status { side.status }
  override var streamError: (any Error)? { side.error }
  override var hasBytesAvailable: Bool { side.isReady }

  /// Waits for a byte, if none is there.
  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    side.perform { connection in
      unsafe len > 0 ? connection.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: len)) : 0
    }
  }

  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
  ) -> Bool {
    false
  }

  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { side.schedule(in: aRunLoop, mode) }
  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { side.remove(from: aRunLoop, mode) }
  override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
}

/// The writing side of a captured connection.
final class CapturedOutputStream: OutputStream {
  private let side: CapturedSide

  init(_ connection: CapturedConnection) {
    side = CapturedSide(.write, of: connection)
    super.init(toMemory: ())
    side.stream = self
  }

  /// Required by the superclass; such a stream has a connection or is none.
  required init(toMemory: ()) {
    ProgrammerError.stop(
      "OutputStream", "A captured stream cannot be made to write into memory; use OutputStream(toMemory:).")
  }

  deinit {
    side.close()
  }

  override func open() { side.open() }
  override func close() { side.close() }
  override var streamStatus: Stream.Status { side.status }
  override var streamError: (any Error)? { side.error }
  override var hasSpaceAvailable: Bool { side.isReady }

  /// Waits until there is room, if there is none.
  override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
    side.perform { connection in
      unsafe len > 0 ? connection.write(UnsafeRawBufferPointer(start: buffer, count: len)) : 0
    }
  }

  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { side.schedule(in: aRunLoop, mode) }
  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) { side.remove(from: aRunLoop, mode) }
  override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
}
