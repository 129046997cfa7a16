// SPDX-License-Identifier: Apache-2.0

/// Compares what an example made with the runner's own reference.
struct ProductMaker {
  /// The body that the server sends, nil where it is not one of the generator's.
  var expected: ExampleAddress.Body?
  /// S and the seed of its stream.
  var bodyBytes: Int
  var seed: UInt64

  /// The comparison; nil where there is nothing to compare or no reference.
  func product(
    _ product: Example.Product, of result: ExampleResult, _ recording: Recording, _ files: [FileSeen]
  ) -> ProductResult? {
    switch product {
    case .nothing: nil
    case .lastBody: lastBody(of: result, recording)
    case .body(let number): body(number, of: recording, content: .body)
    case .bodies: bodies(of: result)
    case .file(let path, let content): file(path, content, files)
    case .line(let text): line(text, of: result)
    case .received(let content): received(content, by: result)
    }
  }

  private func lastBody(of result: ExampleResult, _ recording: Recording) -> ProductResult? {
    // The last load of a job may have brought only a part of the body (206); then the job's product is a file.
    guard result.outcome.kind == .finished, let last = recording.loads.lastIndex(where: \.hasBody),
      recording.loads[last].responses.last?.status != 206
    else { return nil }
    return body(last + 1, of: recording, content: .body)
  }

  private func body(_ number: Int, of recording: Recording, content: Example.Content) -> ProductResult? {
    guard recording.loads.indices.contains(number - 1) else { return nil }
    let load = recording.loads[number - 1]
    return compared(
      .body, "\(number)", ExampleAddress.Body(bytes: load.bytes, checksum: load.checksum), with: reference(content))
  }

  private func bodies(of result: ExampleResult) -> ProductResult? {
    guard let expected, !result.loads.isEmpty else { return nil }
    return ProductResult(
      kind: .body, name: "1–\(result.loads.count)", bytes: result.outcome.bytes,
      expectedBytes: Int(expected.bytes) * result.loads.count,
      comparison: result.loads.allSatisfy { $0.isWhole == true } ? .equal : .different)
  }

  private func file(_ path: String, _ content: Example.Content, _ files: [FileSeen]) -> ProductResult? {
    let found = files.first { $0.path == path }
    return compared(
      .file, path, found.map { ExampleAddress.Body(bytes: Int64($0.bytes), checksum: $0.checksum) },
      with: reference(content))
  }

  private func line(_ text: String, of result: ExampleResult) -> ProductResult {
    let isThere = result.printed.contains { $0.text == text }
    let count = text.utf8.count
    return ProductResult(
      kind: .line, name: text, bytes: isThere ? count : 0, expectedBytes: count,
      comparison: isThere ? .equal : .missing)
  }

  private func received(_ content: Example.Content, by result: ExampleResult) -> ProductResult? {
    let last = result.requests.lastIndex { $0.bodyBytes > 0 }
    let body = last.map { result.requests[$0] }
    return compared(
      .received, "\((last ?? -1) + 1)",
      body.map { ExampleAddress.Body(bytes: Int64($0.bodyBytes), checksum: $0.bodyChecksum) },
      with: reference(content))
  }

  private func reference(_ content: Example.Content) -> ExampleAddress.Body? {
    content.reference(expected, bodyBytes: bodyBytes, seed: seed)
  }

  private func compared(
    _ kind: ProductResult.Kind, _ name: String, _ made: ExampleAddress.Body?, with reference: ExampleAddress.Body?
  ) -> ProductResult? {
    guard let reference else { return nil }
    return ProductResult(
      kind: kind, name: name, bytes: Int(made?.bytes ?? 0), expectedBytes: Int(reference.bytes),
      comparison: made.map { $0 == reference ? .equal : .different } ?? .missing)
  }
}
