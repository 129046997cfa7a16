// SPDX-License-Identifier: Apache-2.0

/// Texts of a program as reports may tell them: what may be a secret is replaced by “…”.
package enum ShownText {
  /// The text without user information in addresses and values of the header fields that carry credentials; without the values
  /// of query items, too, unless `showsQueries`.
  package static func of(_ text: String, showsQueries: Bool) -> String {
    let named = text.replacing(/:\/\/[^\/?#\s]*@/) { _ in "://…@" }
      .replacing(/(?i)\b(proxy-authorization|authorization|set-cookie|cookie)(\s*[:=]\s*).*/) { "\($0.1)\($0.2)…" }
    return showsQueries ? named : named.replacing(/[a-zA-Z][a-zA-Z0-9+.\-]*:\/\/\S*/) { withoutValues(String($0.0)) }
  }

  /// The same for a text that is an address: a program may have millions of loads.
  package static func ofAddress(_ url: String, showsQueries: Bool) -> String {
    guard !url.utf8.contains(UInt8(ascii: "@")) else { return of(url, showsQueries: showsQueries) }
    return showsQueries || !url.utf8.contains(UInt8(ascii: "?")) ? url : withoutValues(url)
  }

  /// The address with “…” for each value of its query.
  private static func withoutValues(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    let end = url[mark...].firstIndex(of: "#") ?? url.endIndex
    let items = url[url.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
    let names = items.map { item in
      item.firstIndex(of: "=").map { item[..<$0] + "=…" } ?? (items.count == 1 && !item.isEmpty ? "…" : item)
    }
    return url[...mark] + names.joined(separator: "&")
  }
}
