// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

extension URLSession {
  /// Sends `request` and returns as soon as the response is there; the body is awaited byte by byte.
  ///
  /// Without a reader at most 1 MiB waits, then the server is held back. The delegate is that of the other `async`
  /// calls.
  ///
  /// - Throws: A `URLError`; `.cancelled` when the enclosing Swift task is cancelled. An HTTP status such as 404 is not an
  ///   error.
  public func bytes(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (AsyncBytes, URLResponse) {
    let channel = ByteChannel()
    let specification = TaskSpecification(request: request, receiver: .bytes(channel), delegate: delegate)
    let running = RunningTask()
    return try await withTaskCancellationHandler {
      let task = make(specification, URLSessionDataTask.init)
      let bytes = AsyncBytes(task: task, channel: channel)
      running.adopt(task)
      task.resume()
      return (bytes, try await channel.response())
    } onCancel: {
      running.cancel()
    }
  }

  /// Gets `url` and returns as soon as the response is there; the body is awaited byte by byte.
  public func bytes(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (AsyncBytes, URLResponse) {
    try await bytes(for: URLRequest(url: url), delegate: delegate)
  }

  /// The bytes of a body, as they come, with content codings undone. They can be read once.
  ///
  /// When the sequence is gone before an iterator was made, or its iterators are, the task is cancelled. A failed transfer
  /// throws its `URLError` behind the bytes that had come; a cancelled one throws at once.
  ///
  /// Several iterators at a time share the bytes: each byte goes to one of them, in pieces as they come, and all of them end.
  /// Cancelling the Swift task of one ends its reading alone; with the last one the transfer ends.
  public struct AsyncBytes: AsyncSequence, Sendable {
    /// A byte.
    public typealias Element = UInt8

    /// The task that gets the bytes.
    public let task: URLSessionDataTask
    let channel: ByteChannel
    private let interest: Interest

    init(task: URLSessionDataTask, channel: ByteChannel) {
      (self.task, self.channel) = (task, channel)
      interest = Interest(task)
    }

    /// Reads the bytes from the first on, once.
    public func makeAsyncIterator() -> Iterator {
      Iterator(Pieces(task: task, channel: channel, interest: interest))
    }

    /// Takes the bytes one by one out of pieces of up to 512 KiB.
    ///
    /// Safe: both pointers point into the memory of `pieces`. `refill()` replaces that memory only if no copy of the iterator shares
    /// `pieces`; a copy takes pieces of its own first.
    @safe
    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline var position: UnsafePointer<UInt8>
      @usableFromInline var end: UnsafePointer<UInt8>
      var pieces: Pieces

      init(_ pieces: Pieces) {
        self.pieces = pieces
        unsafe (position, end) = (pieces.position, pieces.position)
      }

      /// The next byte of the piece; nil where it is used up.
      @inlinable
      mutating func take() -> UInt8? {
        guard unsafe position < end else { return nil }
        defer { unsafe position += 1 }
        return unsafe position.pointee
      }

      /// Waits for more bytes; false at the end of the body. A copy of an iterator reads pieces of its own from here on.
      @usableFromInline
      mutating func refill() async throws -> Bool {
        if !isKnownUniquelyReferenced(&pieces) { pieces = pieces.another }
        guard try await pieces.refill() else { return false }
        unsafe (position, end) = (pieces.position, pieces.end)
        return true
      }

      /// The next byte, or nil at the end of the body.
      @inlinable
      public nonisolated(nonsending) mutating func next() async throws -> UInt8? {
        try await next(isolation: #isolation)
      }

      /// The next byte, or nil at the end of the body. A loop calls this one, and stays on its actor until a piece is used up. An
      /// `isolated` parameter, as the protocol has it, would cost each byte two switches of executors.
      @inlinable
      public nonisolated(nonsending) mutating func next(isolation actor: (any Actor)?) async throws -> UInt8? {
        if let byte = take() { return byte }
        guard try await refill() else { return nil }
        return take()
      }
    }
  }

  /// The piece that is being read. Its bytes are copied into memory of its own, because looking into a `Data` costs many
  /// times more for each byte than copying it.
  ///
  /// Safe: both pointers stay within the memory, which lives as long as the object.
  @safe
  final class Pieces {
    fileprivate private(set) var position: UnsafePointer<UInt8>
    fileprivate private(set) var end: UnsafePointer<UInt8>
    private var memory: UnsafeMutableBufferPointer<UInt8>
    private let task: URLSessionDataTask
    private let channel: ByteChannel
    private let interest: Interest
    private let reader: Int

    fileprivate init(task: URLSessionDataTask, channel: ByteChannel, interest: Interest) {
      (self.task, self.channel, self.interest) = (task, channel, interest)
      unsafe memory = .allocate(capacity: 16 * 1024)
      unsafe position = unsafe UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
      unsafe end = unsafe position
      reader = channel.beginIterating()
    }

    deinit {
      unsafe memory.deallocate()
      // The bytes can be read once, so the last reader's end is the end of reading, though the sequence may live on.
      if channel.endIterating(reader) { task.cancel() }
    }

    /// For another reader of the same bytes.
    fileprivate var another: Pieces { Pieces(task: task, channel: channel, interest: interest) }

    /// The bytes that are left of the piece; nil where none are.
    var atHand: UnsafeBufferPointer<UInt8>? {
      unsafe position < end ? UnsafeBufferPointer(start: position, count: end - position) : nil
    }

    func skip(_ count: Int) { unsafe position += count }

    /// Waits for more bytes; false at the end of the body.
    func refill() async throws -> Bool {
      let piece = try await withTaskCancellationHandler {
        try await channel.piece(for: reader)
      } onCancel: { [task, channel, reader] in
        if channel.cancel(reader) { task.cancel() }
      }
      guard let piece, !piece.isEmpty else { return false }
      if unsafe piece.count > memory.count {
        unsafe memory.deallocate()
        unsafe memory = .allocate(capacity: piece.count)
      }
      _ = unsafe piece.copyBytes(to: memory)
      unsafe position = unsafe UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
      unsafe end = unsafe position + piece.count
      return true
    }
  }

  /// Cancels the task when no reader is left; a completed task is not affected.
  fileprivate final class Interest: Sendable {
    private let task: URLSessionDataTask

    init(_ task: URLSessionDataTask) {
      self.task = task
    }

    deinit { task.cancel() }
  }
}

extension URLSession.AsyncBytes.Iterator: PiecewiseIterator {
  func pieces() async throws -> URLSession.Pieces? { pieces }
}
