// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// Takes a body on the I/O thread and has it written into a private file elsewhere.
///
/// Problem: a write may block, for milliseconds on a busy disk and for ever on a network's, and the I/O thread serves
/// every transfer of the process. Choice: bytes are gathered in pieces of 512 KiB, which a queue of the download's own writes
/// in order; at most two wait there, then the transfer pauses. A disk that blocks holds up this download and nothing else.
///
/// A body that comes slowly does not fill a piece for long, and its receiver wants to know of it all the same: `FlushRule`
/// says when a piece is written as it is. The next piece then is the shorter, so that pieces begin where a write past the
/// page cache may begin.
final class FileSink: @unchecked Sendable {
  // Sendable: `file`, `earlier` and the flags below them belong to the disk queue, everything else to the I/O thread.

  /// The result of an action, reported on the I/O thread.
  enum Report: Sendable {
    /// A new file was created, by this name and inode.
    case created(URL, UInt64)
    /// The file grew to this many bytes; there is room again.
    case wrote(Int64)
    /// The file cannot be created.
    case notCreated(POSIXError)
    /// The disk is full or fails, also when an earlier file was to be gone on with.
    case notWritten(POSIXError)
    /// The file is complete and belongs to the receiver.
    case finished(URL)
  }

  private let directory: URL
  private let capacity: Int
  private let transport: Transport
  private let deliver: @Sendable (Report) -> Void
  private var piece: BodyChunk?
  private var spare: BodyChunk?
  private var waiting = 0
  private var rule = FlushRule()
  /// Where in the file the next piece begins.
  private var offset: Int64

  private let file = PrivateFile()
  /// The part of a file to continue, until it is opened.
  private var earlier: (file: PartialFile, offset: Int64)?
  private var isCreated = false
  private var isBroken = false

  private static let pieceSize = 512 * 1024
  private static let waitingLimit = 2
  private let disk = DispatchQueue.disk()

  /// A sink for a new file in `directory`, which is created when something is to be written; or for one that was begun
  /// `earlier`, from an offset on. `expected` bytes will come, or -1.
  init(
    in directory: URL, after earlier: (file: PartialFile, offset: Int64)? = nil, expecting expected: Int64,
    transport: Transport, report: @escaping @Sendable (Report) -> Void
  ) {
    self.directory = directory
    self.earlier = earlier
    offset = earlier?.offset ?? 0
    capacity = expected > 0 ? Int(min(expected, Int64(Self.pieceSize))) : Self.pieceSize
    self.transport = transport
    deliver = report
  }

  /// True if more may come.
  var hasRoom: Bool { waiting < Self.waitingLimit }

  /// Takes bytes; false when no more may come until something was written.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let piece = piece ?? makePiece()
      self.piece = piece
      unsafe piece.take(from: &rest)
      if piece.room == 0 {
        rule.handedOver()
        handOver(piece)
      }
    }
    if piece != nil, rule.arrived() { lookLater() }
    return hasRoom
  }

  private func makePiece() -> BodyChunk {
    let piece = spare.take() ?? BodyChunk(capacity: capacity)
    piece.limit = min(capacity, Self.pieceSize - Int(offset % Int64(Self.pieceSize)))
    return piece
  }

  private func lookLater() {
    Transport.after(FlushRule.interval) { [weak self] in self?.look() }
  }

  /// Writes what has gathered where it is time.
  private func look() {
    switch rule.looked(hasBytes: piece != nil, isDiskBusy: waiting > 0) {
    case .rest: break
    case .lookAgain: lookLater()
    case .flush: flush()
    }
  }

  private func flush() {
    if let piece { handOver(piece) }
  }

  /// Writes what is left and closes the file, then reports.
  func finish() {
    let last = piece.take()
    disk.async { [self] in
      guard !isBroken else { return }
      do throws(POSIXError) {
        guard create() else { return }
        if let last { try unsafe file.append(last.bytes) }
        report(.finished(try file.finish()))
      } catch {
        fail(.notWritten(error))
      }
    }
  }

  /// Removes the file, unless its end was reported, then calls `done` on the I/O thread. No report comes any more.
  func discard(_ done: @escaping @Sendable () -> Void) {
    disk.async { [self] in
      isBroken = true
      file.remove()
      transport.perform(done)
    }
  }

  /// Writes what is left and returns what there is as part of a download, on the I/O thread; nil when the disk fails,
  /// and then nothing is left. No report comes any more.
  func keep(_ done: @escaping @Sendable (PartialFile?) -> Void) {
    let last = piece.take()
    disk.async { [self] in
      var kept: PartialFile?
      if !isBroken, create() {
        isBroken = true
        if let last { try? unsafe file.append(last.bytes) }
        kept = try? file.keep()
        file.remove()
      }
      transport.perform { [kept] in done(kept) }
    }
  }

  private func handOver(_ full: BodyChunk) {
    piece = nil
    waiting += 1
    offset += Int64(full.count)
    disk.async { [self] in write(full) }
  }
}

// MARK: - On the disk queue

extension FileSink {
  private func write(_ full: BodyChunk) {
    guard !isBroken else { return }
    do throws(POSIXError) {
      guard create() else { return }
      try unsafe file.append(full.bytes)
    } catch {
      return fail(.notWritten(error))
    }
    let count = file.count
    transport.perform { [self] in
      waiting -= 1
      full.count = 0
      spare = full
      if waiting == 0, rule.diskIsFree() { flush() }
      deliver(.wrote(count))
    }
  }

  private func create() -> Bool {
    guard !isCreated else { return true }
    isCreated = true
    let isNew = earlier == nil
    do throws(POSIXError) {
      if let (partial, offset) = earlier.take() {
        try file.resume(with: partial, from: offset)
      } else {
        try file.create(in: directory)
        if let (url, number) = file.place { report(.created(url, number)) }
      }
      return true
    } catch {
      fail(isNew ? .notCreated(error) : .notWritten(error))
      return false
    }
  }

  private func fail(_ failure: Report) {
    isBroken = true
    file.remove()
    report(failure)
  }

  private func report(_ report: Report) {
    transport.perform { [deliver] in deliver(report) }
  }
}
