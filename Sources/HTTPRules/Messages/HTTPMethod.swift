// SPDX-License-Identifier: Apache-2.0

/// What a method's name says of its requests.
package enum HTTPMethod {
  /// True if a client may send the request again though the server may have carried it out (RFC 9110 section 9.2.2).
  package static func isIdempotent(_ method: String) -> Bool {
    ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(method)
  }
}
