// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import _NIOFileSystem

/// The jobs, each over the one client.
struct Jobs: Sendable {
  let client: HTTPClient

  private static let limit = TimeAmount.minutes(10)

  /// Reads the body in pieces and throws them away.
  func discard(_ url: String) async throws -> Outcome {
    let response = try await client.execute(HTTPClientRequest(url: url), timeout: Self.limit)
    var bytes: Int64 = 0
    for try await piece in response.body { bytes += Int64(piece.readableBytes) }
    return Outcome(transfers: 1, bytes: bytes)
  }

  /// Lets the client's own delegate write the file.
  func download(_ url: String, to path: String) async throws -> Outcome {
    let delegate = try FileDownloadDelegate(path: path)
    let progress = try await client.execute(request: HTTPClient.Request(url: url), delegate: delegate).get()
    return Outcome(transfers: 1, bytes: Int64(progress.receivedBytes))
  }

  /// Sends a file in chunks of 128 KiB, the file system's default.
  func upload(_ url: String, from path: String) async throws -> Outcome {
    try await FileSystem.shared.withFileHandle(forReadingAt: FilePath(path)) { file in
      let size = try await file.info().size
      var request = HTTPClientRequest(url: url)
      request.method = .PUT
      request.body = .stream(file.readChunks(), length: .known(size))
      let response = try await client.execute(request, timeout: Self.limit)
      for try await _ in response.body {}
      return Outcome(transfers: 1, bytes: size)
    }
  }

  /// As many requests at once as asked for, each end starting the next.
  func small(_ url: String, count: Int, atOnce: Int) async throws -> Outcome {
    try await withThrowingTaskGroup(of: Int64.self) { group in
      var outcome = Outcome(transfers: 0, bytes: 0)
      for _ in 0..<min(atOnce, count) { group.addTask { try await collect(url) } }
      var started = min(atOnce, count)
      while let bytes = try await group.next() {
        outcome.transfers += 1
        outcome.bytes += bytes
        guard started < count else { continue }
        started += 1
        group.addTask { try await collect(url) }
      }
      return outcome
    }
  }

  private func collect(_ url: String) async throws -> Int64 {
    let response = try await client.execute(HTTPClientRequest(url: url), timeout: Self.limit)
    return Int64(try await response.body.collect(upTo: 1 << 20).readableBytes)
  }
}
