// SPDX-License-Identifier: Apache-2.0
import Foundation
import Transport

/// The knowledge of a load about downloads that stop and continue: records, files and heads in, the next step out. All
/// decisions are made by `ResumeRules`. Of the I/O thread.
struct DownloadResumption {
  /// Where the file of a download begins.
  enum Beginning {
    /// A new one; `isRestart` when an earlier download was dropped for it.
    case new(isRestart: Bool)
    /// Behind so many bytes of an earlier one, as part of so many.
    case behind(PartialFile, Int64, total: Int64)
  }

  private let original: URLRequest
  /// The record that there was when the load began; nil once the server has refused to continue it.
  private(set) var record: ResumeRecord?
  /// The file of `record`, once it is open and until it is written to.
  private var file: PartialFile?
  /// The length of the whole, once the server continues.
  private var total: Int64?
  /// The head of a response whose body may yet become a file.
  private var head: ResponseHead?
  /// The offer that the response makes for a later attempt.
  private var offer: ResumeRules.Offer?
  private var wasRestarted = false
  /// True if the rest is being written behind what there was.
  private var continues = false
  /// True if the client wants to continue later.
  var isWanted = false

  /// The downloads of `original`, with the `record` of an earlier one.
  init(_ original: URLRequest, record: ResumeRecord?) {
    (self.original, self.record) = (original, record)
  }
}

// MARK: - The request

extension DownloadResumption {
  /// The file of `record` is open: the request for the rest.
  mutating func opened(_ file: PartialFile, of record: ResumeRecord) -> URLRequest {
    self.file = file
    return ResumeRules.request(original, for: record)
  }

  /// The file of `record` is not there, or not what it was.
  mutating func refused() {
    record = nil
  }
}

// MARK: - The response

extension DownloadResumption {
  /// Takes the head of the final response to a download. False when it is of no use: what there was is dropped, and the
  /// whole has to be asked for.
  mutating func accept(_ head: ResponseHead) -> Bool {
    guard let record else {
      noteOffer(of: head)
      return true
    }
    switch ResumeRules.outcome(of: head, for: record) {
    case .continues(let total):
      self.total = total
      offer = ResumeRules.Offer(validator: record.validator, total: total)
    case .startsAnew:
      forget()
      noteOffer(of: head)
    case .asksForAll:
      forget()
      return false
    }
    return true
  }

  /// Keeps the head of a response whose body may yet become a file.
  mutating func keep(_ head: ResponseHead) {
    self.head = head
  }

  /// The body goes into a file: the earlier one, or a new one.
  mutating func beginFile() -> Beginning {
    if let head = head.take() { noteOffer(of: head) }
    guard let record, let file, let total else {
      // A redirect that is not followed is a response like any other.
      if record != nil { forget() }
      return .new(isRestart: wasRestarted)
    }
    (self.file, continues) = (nil, true)
    return .behind(file, record.offset, total: total)
  }

  private mutating func noteOffer(of head: ResponseHead) {
    offer = ResumeRules.offer(of: head, to: original, now: Int64(Date().timeIntervalSince1970))
  }

  private mutating func forget() {
    if let file { DispatchQueue.disk().async { file.discard() } }
    (file, record) = (nil, nil)
    wasRestarted = true
  }
}

// MARK: - The file

extension DownloadResumption {
  /// How the file that was just created could be continued if this process ended now; nil where it could not.
  func record(ofCreated url: URL, _ number: UInt64) -> ResumeRecord? {
    offer.map { record(of: url, number, received: 1, $0) }
  }

  /// How many bytes the file will have; -1 where `response` does not say.
  func expectedLength(with response: URLResponse?) -> Int64 { total ?? response?.expectedContentLength ?? -1 }

  /// Why a file that seems complete is not: the rest was shorter or longer than the server had said. What is shorter was cut
  /// where only the connection's end or the last chunk said that it was over, and can be resumed.
  func fault(ofWhole received: Int64, url: URL?) -> URLError? {
    guard let total, received != total else { return nil }
    return LoadError.error(
      received < total ? .networkConnectionLost : .cannotParseResponse, url: url,
      description: "The resumed download has \(received) bytes in place of \(total).")
  }

  private func record(of url: URL, _ number: UInt64, received: Int64, _ offer: ResumeRules.Offer) -> ResumeRecord {
    ResumeRecord(
      request: original, received: received, total: offer.total, validator: offer.validator,
      fileName: url.lastPathComponent, fileNumber: number)
  }
}

// MARK: - The end

extension DownloadResumption {
  /// True if a file that is not complete is worth another attempt, after the load ended with `error`.
  func isWorthKeeping(after error: URLError?) -> Bool {
    guard let error, offer != nil else { return false }
    return isWanted && error.code == .cancelled || ResumeRules.isWorthKeeping(after: error.code)
  }

  /// Makes the partial download needed to continue with `file`.
  func partial(_ file: PartialFile) -> PartialDownload? {
    offer.map { PartialDownload(record(of: file.url, file.number, received: file.count, $0), file: file) }
  }

  /// The same after an end before the first byte of the rest: what there was is as good as before.
  func untouchedPartial(after error: URLError?) -> PartialDownload? {
    guard let record, !continues, let error else { return nil }
    guard isWanted || error.code != .cancelled else { return nil }
    return PartialDownload(record, file: file)
  }
}

extension LoadError {
  /// The error of a download that cannot be resumed: −1002 for what is no resume data, −3001 for any other reason, which its
  /// description gives. Where the system refused to open the file, its error stands beneath.
  package static func unresumable(_ refusal: ResumeRefusal, url: URL?) -> URLError {
    error(
      refusal.code, url: url, underlying: refusal.cause,
      description: "The download cannot be resumed. \(refusal.description)")
  }
}
