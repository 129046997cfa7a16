// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import URLLoading

/// The calls to await without a delegate, as Apple had them first. They are what a plain call such as `session.data(for:)`
/// means, and what stands for it where a function is passed on.
extension URLSession {
  /// Sends `request` and returns the whole body with its response.
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    try await data(for: request, delegate: nil)
  }

  /// Gets `url` and returns the whole body with its response.
  public func data(from url: URL) async throws -> (Data, URLResponse) {
    try await data(from: url, delegate: nil)
  }

  /// Sends `request` with the file at `fileURL` as its body and returns the answer.
  public func upload(for request: URLRequest, fromFile fileURL: URL) async throws -> (Data, URLResponse) {
    try await upload(for: request, fromFile: fileURL, delegate: nil)
  }

  /// Sends `request` with `bodyData` as its body and returns the answer.
  public func upload(for request: URLRequest, from bodyData: Data) async throws -> (Data, URLResponse) {
    try await upload(for: request, from: bodyData, delegate: nil)
  }
}
