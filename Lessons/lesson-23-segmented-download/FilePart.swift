// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI

/// A part of a file that a server has: how to ask for it, and what the answer
/// must say.
struct FilePart {
  var request: URLRequest
  /// Where the part begins.
  var start: Int64 = 0
  /// How many bytes it has, nil where the server did not say.
  var count: Int64?
  /// The answer's Content-Range, nil for the whole file.
  var contentRange: String?

  // begin plan
  /// So many parts of the file, after the answer to HEAD; one where the
  /// server has no ranges, or no strong validator to hold them together.
  static func plan(_ number: Int64, after head: URLResponse?) throws
    -> [FilePart]
  {
    guard let http = head as? HTTPURLResponse, let url = http.url,
      http.statusCode == 200
    else { throw URLError(.badServerResponse) }
    let size = http.expectedContentLength
    let etag = http.value(forHTTPHeaderField: "ETag") ?? "W/"
    guard http.value(forHTTPHeaderField: "Accept-Ranges") == "bytes",
      size >= number, number > 1, !etag.hasPrefix("W/")  // ←
    else {
      let whole = URLRequest(url: url)
      return [FilePart(request: whole, count: size < 0 ? nil : size)]
    }
    return (0..<number).map { index in
      let start = size * index / number
      let end = size * (index + 1) / number
      var request = URLRequest(url: url)
      request.setValue(
        "bytes=\(start)-\(end - 1)", forHTTPHeaderField: "Range")
      request.setValue(etag, forHTTPHeaderField: "If-Range")  // ←
      return FilePart(
        request: request, start: start, count: end - start,
        contentRange: "bytes \(start)-\(end - 1)/\(size)")
    }
  }

  /// Fails unless the answer is this part, or the whole where that is asked.
  func check(_ answer: URLResponse) throws {
    let http = answer as? HTTPURLResponse
    let range = http?.value(forHTTPHeaderField: "Content-Range")
    guard http?.statusCode == (contentRange == nil ? 200 : 206),
      range == contentRange  // ←
    else { throw URLError(.badServerResponse) }
  }
  // end plan
}
