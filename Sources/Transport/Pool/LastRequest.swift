// SPDX-License-Identifier: Apache-2.0
import HTTPRules

/// The last request of a pool in libcurl's form: the next one often needs the same again.
struct LastRequest {
  /// The lines of its head.
  private var headers = HeaderList([])
  /// Those of the last one without a body, with the fields that they were made of.
  private var plainHeaders: (fields: [HeaderField], isSecure: Bool, list: HeaderList)?
  private var url: ParsedURL?

  /// The lines in libcurl's form.
  mutating func headerList(_ lines: [String]) -> HeaderList {
    if headers.lines != lines { headers = HeaderList(lines) }
    return headers
  }

  /// The same for a request that has neither body nor proxy. Loads without fields of their own share one array of them,
  /// and comparing an array with itself looks at no field.
  mutating func plainHeaderList(_ request: TransferRequest, lines: () -> [String]) -> HeaderList {
    if let plainHeaders, plainHeaders.isSecure == request.isSecure, plainHeaders.fields == request.fields {
      return plainHeaders.list
    }
    let list = headerList(lines())
    plainHeaders = (request.fields, request.isSecure, list)
    return list
  }

  /// The URL in libcurl's form.
  mutating func parsedURL(_ text: String) -> ParsedURL {
    if let url, url.text == text { return url }
    let parsed = ParsedURL(text)
    url = parsed
    return parsed
  }
}
