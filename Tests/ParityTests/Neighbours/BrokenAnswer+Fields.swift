// SPDX-License-Identifier: Apache-2.0

/// Fields that say something about a connection, a host or a login. Lines of one answer have a bar between them.
extension BrokenAnswer {
  /// RFC 7838 section 3.
  static let services = [
    "h2=\":1\"", "h2=\"127.0.0.1:1\"; ma=86400", "h2c=\":1\"", "h3=\":443\"; ma=3600; persist=1", "clear",
    "http/1.1=\":1\"",
    "h2=\"other.invalid:443\", h3-29=\":1\"", "h2=\"\"", "h2=:1; ma=-1", "h2=\":99999\"",
  ].map { "Alt-Svc: \($0)" }

  /// RFC 9110 section 7.6.1, RFC 9112 sections 9.3 and 9.6.
  static let connections = [
    "Connection: close", "Connection: keep-alive", "Connection: keep-alive, close", "Connection: close, keep-alive",
    "Connection: Content-Length", "Connection: x|Connection: close", "Connection:", "Proxy-Connection: close",
    "Keep-Alive: timeout=0", "Keep-Alive: timeout=-1, max=0", "Connection: keep-alive|Keep-Alive: max=1",
    "Connection: HTTP2-Settings|HTTP2-Settings: AAMAAABkAAQAAP__", "Connection: CLOSE", "Connection: \"close\"",
  ]

  /// RFC 6797, and what other policies there are for a whole host.
  static let policies = [
    "Strict-Transport-Security: max-age=31536000; includeSubDomains", "Strict-Transport-Security: max-age=0",
    "Clear-Site-Data: \"*\"", "Refresh: 0; url=/landing", "Content-Security-Policy: upgrade-insecure-requests",
    "Public-Key-Pins: max-age=1; pin-sha256=\"AAAA\"", "Set-Cookie: a=b; Domain=localhost; Path=/; Max-Age=60",
    "Cache-Control: max-age=60|Vary: *", "Expect-CT: max-age=1, enforce", "Accept-Ranges: bytes|ETag: \"x\"",
  ]

  static let logins = [
    "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"n\", qop=\"auth\"",
    "Digest realm=\"x\", nonce=\"n\", algorithm=NONE",
    "NTLM", "NTLM TlRMTVNTUAACAAAA", "NTLM !", "Negotiate", "Negotiate YQ==", "Bearer realm=\"x\"", "AWS4-HMAC-SHA256",
    "Basic realm=\"x\", Digest realm=\"y\", nonce=\"n\"", "", "Basic realm=\"x", "Mutual realm=\"x\"", "x y=z, Basic",
  ]

  /// Bytes behind an answer that is whole.
  static let tails = [
    "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nstolen", "HTTP/1.1 200 OK\r\n\r\nstolen", "\r\n", "\r\n\r\n", "\0",
    "x",
    "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 408 Timeout\r\nConnection: close\r\nContent-Length: 6\r\n\r\nstolen",
    "HTTP/2 200\r\nContent-Length: 6\r\n\r\nstolen", "0\r\n\r\n", String(repeating: "stolen", count: 3000),
  ]
}
