// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// All that is needed to continue an upload later, in another process as well.
package struct UploadRecord: Equatable, Sendable {
  /// Where the body is.
  enum Body: Equatable, Sendable {
    /// The user's file, as it was when it began to be sent.
    case file(path: String, FileStamp)
    /// A file of ours in the folder for downloads, of this name and inode.
    case spooled(name: String, number: UInt64, count: Int64)
    /// A stream that the client is asked for.
    case requested
  }

  /// The request that began the upload, without its body.
  package var request: URLRequest
  /// The resource that the server made for the upload.
  var resource: URL
  var body: Body
}

// MARK: - As a property list

extension UploadRecord {
  /// As in `ResumeRecord`, ours begin above Apple's.
  private static let version: Int64 = 101

  private enum Key {
    static let url = "NSURLSessionUploadURL"
    static let resource = "NSURLSessionUploadResourceURL"
    static let request = "NSURLSessionResumeOriginalRequest"
    static let version = "NSURLSessionResumeInfoVersion"
    static let fileName = "NSURLSessionResumeInfoTempFileName"
    static let path = "WorkbenchBodyPath"
    static let stamp = "WorkbenchBodyStamp"
    static let fileNumber = "WorkbenchTempFileNumber"
    static let count = "WorkbenchBodyBytes"
    static let method = "HTTPMethod"
    static let fields = "HTTPHeaderFields"
    static let timeout = "TimeoutInterval"
  }

  /// An XML property list that a person can read; nil for a request that cannot be written down so. The header fields of
  /// the request are in it.
  package var data: Data? {
    guard let url = request.url?.absoluteString else { return nil }
    var entries: [String: PropertyList] = [
      Key.version: .integer(Self.version), Key.url: .string(url), Key.resource: .string(resource.absoluteString),
      Key.request: .dictionary([
        Key.method: .string(request.httpMethod ?? "GET"),
        Key.fields: .dictionary((request.allHTTPHeaderFields ?? [:]).mapValues { .string($0) }),
        Key.timeout: .real(request.timeoutInterval),
      ]),
    ]
    switch body {
    case .file(let path, let stamp):
      entries[Key.path] = .string(path)
      entries[Key.stamp] = .string(stamp.text)
    case .spooled(let name, let number, let count):
      entries[Key.fileName] = .string(name)
      entries[Key.fileNumber] = .integer(Int64(bitPattern: number))
      entries[Key.count] = .integer(count)
    case .requested: break
    }
    // A record that cannot be read back is not given to the program.
    guard let text = PropertyList.dictionary(entries).document, let again = try? UploadRecord(data: Data(text.utf8)),
      again.body == body
    else { return nil }
    return Data(text.utf8)
  }

  /// Reads resume data, which may come from anywhere: nothing in it is believed that could lead elsewhere. A path is
  /// followed only to a file that is, to the nanosecond, the one that was being sent (`FileStamp`).
  ///
  /// - Throws: A sentence that says what is wrong with it.
  package init(data: Data) throws(ResumeRefusal) {
    guard data.count <= ResumeRecord.lengthLimit, case .dictionary(let entries)? = PropertyList(document: Array(data))
    else { throw ResumeRefusal.noResumeData }
    guard entries[Key.version] != nil else { throw ResumeRefusal.noResumeData }
    guard entries[Key.version] == .integer(Self.version) else {
      throw ResumeRefusal("It is of a version that cannot be read here.")
    }
    let url = try Self.url(entries[Key.url])
    resource = try Self.url(entries[Key.resource])
    guard HTTPScheme(resource) == .https || HTTPScheme(url) == .http else {
      throw ResumeRefusal("It leads from https to http.")
    }
    request = try Self.request(url, entries[Key.request])
    body = try Self.body(entries)
  }

  private static func body(_ entries: [String: PropertyList]) throws(ResumeRefusal) -> Body {
    switch (entries[Key.path], entries[Key.fileName]) {
    case (nil, nil): return .requested
    case (.string(let path)?, nil):
      guard path.hasPrefix("/"), !path.utf8.contains(0), case .string(let text)? = entries[Key.stamp],
        let stamp = FileStamp(text: text)
      else { throw ResumeRefusal("It names no file to be sent.") }
      return .file(path: path, stamp)
    case (nil, .string(let name)?):
      guard PartialFile.isName(name), case .integer(let number)? = entries[Key.fileNumber],
        case .integer(let count)? = entries[Key.count], count > 0
      else { throw ResumeRefusal("It names no file of an upload.") }
      return .spooled(name: name, number: UInt64(bitPattern: number), count: count)
    default: throw ResumeRefusal("It names no file of an upload.")
    }
  }

  private static func url(_ entry: PropertyList?) throws(ResumeRefusal) -> URL {
    guard case .string(let text)? = entry, ResumeRecord.isHTTP(text), let url = URL(string: text), url.host != nil
    else {
      throw ResumeRefusal("Its URLs are not of http or https.")
    }
    return url
  }

  private static func request(_ url: URL, _ entry: PropertyList?) throws(ResumeRefusal) -> URLRequest {
    guard case .dictionary(let parts)? = entry, case .string(let method)? = parts[Key.method],
      HeaderField.isToken(method), case .dictionary(let fields)? = parts[Key.fields],
      case .real(let timeout)? = parts[Key.timeout], timeout > 0, timeout.isFinite
    else { throw ResumeRefusal("It has no request.") }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.timeoutInterval = timeout
    for (name, value) in fields {
      guard case .string(let value) = value, HeaderField(name: name, value: value).isSendable else {
        throw ResumeRefusal("Its request has a header field that cannot be sent.")
      }
      request.setValue(value, forHTTPHeaderField: name)
    }
    return request
  }
}

extension UploadRecord {
  /// The length of the body; nil where it is unknown.
  package var count: Int64? {
    switch body {
    case .file(_, let stamp): stamp.length
    case .spooled(_, _, let count): count
    case .requested: nil
    }
  }
}

extension ResumeRefusal {
  /// The server knows nothing of the upload any more, as its status says.
  static func gone(_ status: Int) -> ResumeRefusal {
    ResumeRefusal("The server answers \(status) when it is asked how much has come.")
  }
}

extension LoadError {
  /// The error of an upload that cannot be resumed: −1002 or −3001, as for a download.
  package static func unresumable(upload refusal: ResumeRefusal, url: URL?) -> URLError {
    error(
      refusal.code, url: url, underlying: refusal.cause,
      description: "The upload cannot be resumed. \(refusal.description)")
  }
}
