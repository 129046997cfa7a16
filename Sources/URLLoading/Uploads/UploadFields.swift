// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPRules
import Transport

/// The fields of resumable uploads (draft-ietf-httpbis-resumable-upload-05 section 5), and the requests that have them.
enum UploadFields {
  /// The interoperability version that is spoken (appendix of the draft; since iOS 18.1).
  private static let version = HeaderField(name: "Upload-Draft-Interop-Version", value: "6")
  private static let complete = HeaderField(name: "Upload-Complete", value: "?1")

  /// Returns the fields of a request with a whole body, so that the server may offer to resume it later.
  static func forWhole(_ fields: [HeaderField]) -> [HeaderField] {
    let names = Set(fields.map { $0.name.lowercased() })
    return [complete, version].filter { !names.contains($0.name.lowercased()) }
  }

  /// The question how much has arrived.
  static func question(_ original: URLRequest, to resource: URL) -> URLRequest {
    request("HEAD", original, to: resource)
  }

  /// The request that sends the rest.
  static func rest(_ original: URLRequest, to resource: URL, from offset: Int64) -> URLRequest {
    var request = request("PATCH", original, to: resource)
    request.setValue("application/partial-upload", forHTTPHeaderField: "Content-Type")
    request.setValue("\(offset)", forHTTPHeaderField: "Upload-Offset")
    request.setValue(complete.value, forHTTPHeaderField: complete.name)
    return request
  }

  /// The user's fields go along, but what describes the body as a whole, or belongs to another origin.
  private static func request(_ method: String, _ original: URLRequest, to resource: URL) -> URLRequest {
    var request = original
    request.url = resource
    request.httpMethod = method
    request.httpBody = nil
    request.cachePolicy = .reloadIgnoringLocalCacheData
    let isAway = !RedirectRules.isSameOrigin(original.url, resource)
    for name in (original.allHTTPHeaderFields ?? [:]).keys {
      let key = name.lowercased()
      if key.hasPrefix("content-") || key.hasPrefix("upload-") || isAway && RedirectRules.staysAtOrigin(key) {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    request.setValue(version.value, forHTTPHeaderField: version.name)
    return request
  }

  /// The resource that a 104 names: http or https, and never less secure than the request.
  static func resource(in head: ResponseHead, for url: URL) -> URL? {
    guard head.status == 104, let location = head.value(of: "Location"),
      location.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
      let resource = URL(string: location, relativeTo: url)?.absoluteURL, let scheme = HTTPScheme(resource),
      scheme == .https || HTTPScheme(url) == .http, resource.host?.isEmpty == false
    else { return nil }
    return resource
  }

  /// How much has arrived: digits and nothing else (RFC 8941 section 3.3.1, without a sign).
  static func offset(in head: ResponseHead) -> Int64? {
    guard let text = head.value(of: "Upload-Offset"), (1...15).contains(text.utf8.count),
      text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int64(text)
  }

  /// True if all has arrived.
  static func isComplete(in head: ResponseHead) -> Bool? {
    switch head.value(of: "Upload-Complete") {
    case "?1": true
    case "?0": false
    default: nil
    }
  }
}
