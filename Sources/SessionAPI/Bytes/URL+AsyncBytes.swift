// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension URL {
  /// The bytes of what is at the URL, got with `URLSession.shared` when they are first awaited. Each iterator gets it anew.
  public var resourceBytes: AsyncBytes { AsyncBytes(url: self) }

  /// The lines of what is at the URL, which is read as UTF-8. Empty lines are left out.
  public var lines: AsyncLineSequence<AsyncBytes> { resourceBytes.lines }

  /// The bytes of what is at a URL.
  public struct AsyncBytes: AsyncSequence, Sendable {
    /// A byte.
    public typealias Element = UInt8
    let url: URL

    /// Gets the URL anew.
    public func makeAsyncIterator() -> Iterator {
      Iterator(url: url)
    }

    /// Gets the URL at its first byte.
    public struct Iterator: AsyncIteratorProtocol {
      private let url: URL
      @usableFromInline var bytes: URLSession.AsyncBytes.Iterator?
      private var isOver = false

      init(url: URL) {
        self.url = url
      }

      /// The next byte, or nil at the end.
      ///
      /// - Throws: A `URLError`.
      @inlinable
      public nonisolated(nonsending) mutating func next() async throws -> UInt8? {
        try await next(isolation: #isolation)
      }

      /// The next byte, or nil at the end, as `URLSession.AsyncBytes` has it.
      ///
      /// - Throws: A `URLError`.
      @inlinable
      public nonisolated(nonsending) mutating func next(isolation actor: (any Actor)?) async throws -> UInt8? {
        if bytes == nil { try await begin() }
        return try await bytes?.next(isolation: actor)
      }

      @usableFromInline
      mutating func begin() async throws {
        guard !isOver else { return }
        isOver = true
        bytes = try await URLSession.shared.bytes(from: url).0.makeAsyncIterator()
      }
    }
  }
}

extension URL.AsyncBytes.Iterator: PiecewiseIterator {
  mutating func pieces() async throws -> URLSession.Pieces? {
    if bytes == nil { try await begin() }
    return bytes?.pieces
  }
}
