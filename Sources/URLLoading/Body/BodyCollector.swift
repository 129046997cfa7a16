// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Gathers a whole body in one block that grows in place: the kernel moves pages instead of copying them, so that
/// memory never peaks above the body's own size. It belongs to the I/O thread.
/// Safe: the block lives as long as the object, or as the `Data` that takes it over.
@safe
final class BodyCollector {
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0
  private var count = 0
  /// A promised length is believed up to here; beyond, memory is taken as the bytes come.
  private static let trustedLength = 64 * 1024 * 1024

  /// Reserves room for `expected` bytes, where the server gave a length. Memory that is never written to is never
  /// resident.
  init(expecting expected: Int64) {
    if expected > 0 { _ = reserve(Int(min(expected, Int64(Self.trustedLength)))) }
  }

  deinit { unsafe free(memory) }

  /// False when there is no memory.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (needed, overflow) = count.addingReportingOverflow(bytes.count)
    guard !overflow, needed <= capacity || reserve(max(needed, capacity * 2, 4096)), let memory = unsafe memory,
      let source = bytes.baseAddress
    else { return unsafe bytes.isEmpty }
    unsafe memcpy(memory + count, source, bytes.count)
    count = needed
    return true
  }

  /// Returns the body, in a block of just its size.
  func take() -> Data {
    guard let memory = unsafe memory, count > 0 else { return Data() }
    let fitting = unsafe realloc(memory, count) ?? memory
    unsafe self.memory = nil
    defer { (capacity, count) = (0, 0) }
    return unsafe Data(bytesNoCopy: fitting, count: count, deallocator: .free)
  }

  private func reserve(_ size: Int) -> Bool {
    guard let larger = unsafe realloc(memory, size) else { return false }
    unsafe memory = larger
    capacity = size
    return true
  }
}
