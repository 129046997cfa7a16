// SPDX-License-Identifier: Apache-2.0
import Foundation
package import HTTPRules
import Transport

/// All that is needed to continue a download later, in another process as well.
package struct ResumeRecord: Equatable, Sendable {
  /// The request that began the download, a GET.
  package var request: URLRequest
  /// How many bytes of the file count.
  package var received: Int64
  /// The length of the whole, where the server sent it; at least `received`.
  package var total: Int64?
  /// The version that the bytes are of.
  package var validator: ResumeValidator
  /// The file's name in the folder for downloads, of the form that `PartialFile` makes.
  package var fileName: String
  /// The file's inode, so that another file of that name is not taken for it.
  package var fileNumber: UInt64

  /// The size at whose multiples a request for the rest begins, where a write can bypass the page cache.
  private static let block: Int64 = 4096

  /// Where to continue: before the last byte there is, so that a download that only lacks its end is answered with a part,
  /// too, which shows that it is still the same version.
  var offset: Int64 { (received - 1) / Self.block * Self.block }
}

// MARK: - As a property list

extension ResumeRecord {
  /// The version of the form. Apple's are 1 to 4 and hold archives of requests that only Apple's systems can read; ours
  /// starts above them.
  private static let version: Int64 = 101
  /// No request comes near this length; longer data is refused unread.
  static let lengthLimit = 256 * 1024

  private enum Key {
    static let url = "NSURLSessionDownloadURL"
    static let received = "NSURLSessionResumeBytesReceived"
    static let request = "NSURLSessionResumeOriginalRequest"
    static let entityTag = "NSURLSessionResumeEntityTag"
    static let modified = "NSURLSessionResumeServerDownloadDate"
    static let version = "NSURLSessionResumeInfoVersion"
    static let fileName = "NSURLSessionResumeInfoTempFileName"
    // Ours:
    static let total = "WorkbenchBytesExpected"
    static let fileNumber = "WorkbenchTempFileNumber"
    static let fields = "HTTPHeaderFields"
    static let timeout = "TimeoutInterval"
  }

  /// An XML property list with Apple's keys, which a person can read; nil for a request that cannot be written down so.
  ///
  /// The header fields of the request are in it, an `Authorization` among them: keep it as private as the request.
  package var data: Data? {
    guard let url = request.url?.absoluteString else { return nil }
    var entries: [String: PropertyList] = [
      Key.version: .integer(Self.version), Key.url: .string(url), Key.received: .integer(received),
      Key.fileName: .string(fileName), Key.fileNumber: .integer(Int64(bitPattern: fileNumber)),
      Key.request: .dictionary([
        Key.fields: .dictionary((request.allHTTPHeaderFields ?? [:]).mapValues { .string($0) }),
        Key.timeout: .real(request.timeoutInterval),
      ]),
    ]
    switch validator {
    case .entityTag(let text): entries[Key.entityTag] = .string(text)
    case .modified(let text): entries[Key.modified] = .string(text)
    }
    if let total { entries[Key.total] = .integer(total) }
    // A record that cannot be read back is not given to the program.
    guard let text = PropertyList.dictionary(entries).document, let again = try? ResumeRecord(data: Data(text.utf8)),
      again.fileNumber == fileNumber
    else { return nil }
    return Data(text.utf8)
  }

  /// Reads resume data, which may come from anywhere: nothing in it is believed that could lead elsewhere.
  ///
  /// - Throws: A sentence that says what is wrong with it.
  package init(data: Data) throws(ResumeRefusal) {
    guard data.count <= Self.lengthLimit, case .dictionary(let entries)? = PropertyList(document: Array(data)) else {
      throw ResumeRefusal.noResumeData
    }
    guard entries[Key.version] != nil else { throw ResumeRefusal.noResumeData }
    guard entries[Key.version] == .integer(Self.version) else {
      throw ResumeRefusal("It is of a version that cannot be read here.")
    }
    guard case .string(let fileName)? = entries[Key.fileName], PartialFile.isName(fileName),
      case .integer(let fileNumber)? = entries[Key.fileNumber]
    else { throw ResumeRefusal("It names no file of a download.") }
    guard case .integer(let received)? = entries[Key.received], (1...Int64.max / 2).contains(received) else {
      throw ResumeRefusal("It has no count of bytes.")
    }
    (self.fileName, self.fileNumber, self.received) = (fileName, UInt64(bitPattern: fileNumber), received)
    switch entries[Key.total] {
    case nil: total = nil
    case .integer(let total) where total >= received: self.total = total
    default: throw ResumeRefusal("Its lengths contradict each other.")
    }
    validator = try Self.validator(entries)
    request = try Self.request(entries)
  }

  private static func validator(_ entries: [String: PropertyList]) throws(ResumeRefusal) -> ResumeValidator {
    switch (entries[Key.entityTag], entries[Key.modified]) {
    case (.string(let tag)?, nil) where ResumeValidator.isStrong(tag): return .entityTag(tag)
    case (nil, .string(let date)?) where IMFDate.seconds(date) != nil: return .modified(date)
    default: throw ResumeRefusal("It has no validator to tell versions of the resource apart.")
    }
  }

  private static func request(_ entries: [String: PropertyList]) throws(ResumeRefusal) -> URLRequest {
    guard case .string(let text)? = entries[Key.url], isHTTP(text), let url = URL(string: text), url.host != nil else {
      throw ResumeRefusal("Its URL is none of http or https.")
    }
    guard case .dictionary(let parts)? = entries[Key.request], case .dictionary(let fields)? = parts[Key.fields],
      case .real(let timeout)? = parts[Key.timeout], timeout > 0, timeout.isFinite
    else { throw ResumeRefusal("It has no request.") }
    var request = URLRequest(url: url)
    request.timeoutInterval = timeout
    for (name, value) in fields {
      guard case .string(let value) = value, HeaderField(name: name, value: value).isSendable,
        !["range", "if-range"].contains(name.lowercased())
      else { throw ResumeRefusal("Its request has a header field that cannot be sent.") }
      request.setValue(value, forHTTPHeaderField: name)
    }
    return request
  }

  /// ASCII without spaces and with the right scheme, before anything else looks at it.
  static func isHTTP(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return text.utf8.allSatisfy { $0 > 32 && $0 < 127 } && (start.hasPrefix("http://") || start == "https://")
  }
}

/// Why a download or an upload cannot be resumed, in a sentence.
package struct ResumeRefusal: Error, CustomStringConvertible {
  package let description: String
  /// Why the system refused, where it did.
  let cause: POSIXError?
  /// −1002 for what is no resume data at all, such as no bytes; −3001 for what cannot be used (E10: Apple's own
  /// codes differ from version to version).
  let code: URLError.Code

  init(_ description: String, cause: POSIXError? = nil, code: URLError.Code = .cannotOpenFile) {
    (self.description, self.cause, self.code) = (description, cause, code)
  }

  static let noResumeData = ResumeRefusal("It is not a property list of resume data.", code: .unsupportedURL)
}
