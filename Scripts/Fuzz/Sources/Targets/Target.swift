// SPDX-License-Identifier: Apache-2.0
@testable import HTTPRules
@testable import Transport

/// A parser that bytes from outside reach. It may refuse them; it may not trap, and what it says must hold.
public struct Target: Sendable {
  /// Its name, and that of its folder in the corpus.
  public let name: String
  /// Feeds one input.
  public let feed: @Sendable ([UInt8]) -> Void

  /// All of them.
  public static let all = [
    setCookie, cookieDate, cacheControl, challenge, contentRange, resumeData, location, head, response, chunks, gzip,
    brotli, mixedReplace, webSocketFrames, webSocketCourse, uploadData, uploadFields, uploadCourse, proxyEnvironment,
    proxyDictionary, cookieStore, cacheFolder, dataURL, refusal, boundary, resumeAnswer, webSocketAnswer,
    backgroundFrames, journal, contentType,
  ]

  init(_ name: String, _ feed: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.feed = feed
  }

  /// Ends the process, which libFuzzer reports with the input, unless the claim holds.
  static func check(_ claim: Bool, _ sentence: @autoclosure () -> String) {
    if !claim { fatalError(sentence()) }
  }

  /// A target for the value of a header field, with one scalar for each byte, as the transport delivers it. Values that
  /// its judge refuses never come so far.
  init(field name: String, _ feed: @escaping @Sendable (String) -> Void) {
    self.init(name) { bytes in
      let value = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      if Self.isSendable(value) { feed(value) }
    }
  }

  /// True if a text can be the value of a header field.
  static func isSendable(_ value: String) -> Bool { HeaderField(name: "X", value: value).isSendable }
}
