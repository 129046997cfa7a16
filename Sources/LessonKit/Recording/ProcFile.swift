// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A file below /proc/self, kept open and read again and again into the same memory: reading allocates nothing.
final class ProcFile: @unchecked Sendable {
  // Sendable: each instance is read by one thread at a time, the instruments' while the example runs, main otherwise.
  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer

  /// Opens `/proc/self/<name>`; reading a file that is not there answers nothing.
  init(_ name: String) {
    descriptor = open("/proc/self/\(name)", O_RDONLY | O_CLOEXEC)
    buffer = .allocate(byteCount: 4096, alignment: 8)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    buffer.deallocate()
  }

  /// The file's present content, at most 4 KiB, valid until the next call.
  func read() -> UnsafeRawBufferPointer {
    let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
    return UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)])
  }

  /// The number in field `index` (from 0) of a line of fields divided by single spaces.
  func number(inField index: Int, after marker: UInt8? = nil) -> Int {
    let text = read()
    var position = 0
    if let marker {
      position = (text.lastIndex(of: marker) ?? -2) + 2
    }
    var field = 0
    while position < text.count, field < index {
      if text[position] == UInt8(ascii: " ") { field += 1 }
      position += 1
    }
    return Self.number(in: text, at: position)
  }

  /// The number that follows the line start `key`, such as `VmHWM:`.
  func number(after key: StaticString) -> Int {
    let text = read()
    guard let start = text.baseAddress else { return 0 }
    let length = key.utf8CodeUnitCount
    var position = 0
    while position + length < text.count {
      if memcmp(start + position, key.utf8Start, length) == 0 {
        return Self.number(in: text, at: position + length)
      }
      position += 1
    }
    return 0
  }

  private static func number(in text: UnsafeRawBufferPointer, at start: Int) -> Int {
    var position = start
    while position < text.count, text[position] == UInt8(ascii: " ") || text[position] == UInt8(ascii: "\t") {
      position += 1
    }
    var value = 0
    while position < text.count, case let digit = Int(text[position]) - 48, (0...9).contains(digit) {
      value = value &* 10 &+ digit
      position += 1
    }
    return value
  }
}
