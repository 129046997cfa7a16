// SPDX-License-Identifier: Apache-2.0

/// The parameters of the standard routes: query items read as sizes, seconds and numbers.
extension Request {
  func size(_ name: String) throws(LessonServerError) -> Int64? {
    guard let text = self[query: name] else { return nil }
    return try ByteCount(parsing: text).bytes
  }

  /// Sizes separated by commas; none where the parameter is not there.
  func sizes(_ name: String) throws(LessonServerError) -> [Int64] {
    guard let text = self[query: name] else { return [] }
    var sizes: [Int64] = []
    for size in text.split(separator: ",") { sizes.append(try ByteCount(parsing: String(size)).bytes) }
    return sizes
  }

  func seconds(_ name: String) throws(LessonServerError) -> Duration? {
    guard let text = self[query: name] else { return nil }
    guard let seconds = Double(text), (0...1_000_000).contains(seconds) else {
      throw .invalidParameter(name, text, "seconds such as 0.5")
    }
    return .seconds(seconds)
  }

  func number(_ name: String) throws(LessonServerError) -> Int64? {
    guard let text = self[query: name] else { return nil }
    guard let number = Int64(text), number >= 0 else { throw .invalidParameter(name, text, "a whole number") }
    return number
  }

  /// How a connection is ended: `by=fin`, or `by=rst`, which is taken when nothing is said.
  func ending() throws(LessonServerError) -> Ending {
    switch self[query: "by"] ?? "rst" {
    case "fin": return .fin
    case "rst": return .rst
    case let other: throw .invalidParameter("by", other, "fin or rst")
    }
  }

  func statusCode(inPathAfter prefix: String) throws(LessonServerError) -> Int {
    let text = String(head.path.dropFirst(prefix.count))
    guard let code = Int(text), (200...999).contains(code) else {
      throw .invalidParameter("the status", text, "a number from 200 to 999")
    }
    return code
  }
}

extension LessonServerError {
  static func invalidParameter(_ name: String, _ value: String, _ wanted: String) -> Self {
    Self(code: .invalidParameter, description: "\"\(value)\" is not a value for \(name): write \(wanted).")
  }
}
