// SPDX-License-Identifier: Apache-2.0
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// The table of A.11: which code means what, and what an error carries, on both APIs. TLS has its own tests
/// (`HandshakeTests`, `IdentityTests`), and so have the files of downloads and the ends that a delegate brings about.
@Suite struct ErrorRowTests {
  /// One code and a load that ends with it.
  struct Row: Sendable, CustomStringConvertible {
    var code: URLError.Code
    var url: String
    var seconds: Double = 90
    var change: @Sendable (inout URLRequest) -> Void = { _ in }

    var description: String { "\(code.rawValue)" }
  }

  /// Paths are those of a server of the test's.
  private static let rows: [Row] = [
    Row(code: .badURL, url: "/ok") { $0.setValue("x", forHTTPHeaderField: "X\r\nY") },
    Row(code: .timedOut, url: "/never", seconds: 1),
    Row(code: .unsupportedURL, url: "gopher://127.0.0.1/"),
    Row(code: .cannotFindHost, url: "http://nowhere.invalid/"),
    Row(code: .networkConnectionLost, url: "/nothing"),
    Row(code: .httpTooManyRedirects, url: "/loop"),
    Row(code: .resourceUnavailable, url: "/ok") { $0.cachePolicy = .returnCacheDataDontLoad },
    Row(code: .redirectToNonExistentLocation, url: "/nowhere"),
    Row(code: .cannotDecodeRawData, url: "/undecodable"),
    Row(code: .cannotParseResponse, url: "/garbage"),
    Row(code: .fileDoesNotExist, url: "file:///nowhere/to/be/found"),
    Row(code: .fileIsDirectory, url: "file:///"),
    Row(code: .dataLengthExceedsMaximum, url: "/ok") { $0.httpBody = Data("a GET has none".utf8) },
  ]

  private static let routes =
    Route.standard + [
      Route("/nothing", script: [.end(.fin)]), Route("/garbage", script: [.text("SSH-2.0-x\r\n"), .end(.fin)]),
      Route("/nowhere", script: .response(Response(302, fields: [HeaderField("Location", "http://[::1")]))),
      Route(
        "/undecodable",
        script: .response(Response(fields: [HeaderField("Content-Encoding", "gzip")], body: .bytes(Array("no".utf8))))),
    ]

  @Test(arguments: rows, Face.allCases)
  func `each code has its cause, and each error its URL, its text and what lies beneath (A.11)`(row: Row, face: Face)
    async throws
  {
    let server = LessonServer(routes: Self.routes)
    try server.start()
    let url = try #require(URL(string: row.url.hasPrefix("/") ? server.url(row.url) : row.url))
    var request = URLRequest(url: url)
    request.timeoutInterval = row.seconds
    row.change(&request)
    let client = Client(face)
    let error = try #require(await client.load(request).error)
    #expect((error as? URLError)?.code == row.code)
    #expect((error as NSError).domain == NSURLErrorDomain && (error as NSError).code == row.code.rawValue)
    let info = try #require(error as? URLError).userInfo
    let failing = try #require(info[NSURLErrorFailingURLErrorKey] as? URL)
    #expect(failing == url)
    #expect(info["NSErrorFailingURLStringKey"] as? String == failing.absoluteString)
    #expect((info[NSLocalizedDescriptionKey] as? String)?.isEmpty == false)
    #expect((info[NSUnderlyingErrorKey] as? NSError)?.localizedDescription.isEmpty == false)
    await client.close()
  }

  @Test func `the keys and codes are Apple's (A.11)`() {
    #expect(NSURLErrorFailingURLErrorKey == "NSErrorFailingURLKey")
    #expect(NSURLErrorDomain == "NSURLErrorDomain")
    let codes: [(URLError.Code, Int)] = [
      (.secureConnectionFailed, -1200), (.serverCertificateHasBadDate, -1201), (.serverCertificateUntrusted, -1202),
      (.serverCertificateHasUnknownRoot, -1203), (.serverCertificateNotYetValid, -1204),
      (.clientCertificateRejected, -1205), (.clientCertificateRequired, -1206), (.userCancelledAuthentication, -1012),
      (.requestBodyStreamExhausted, -1021), (.cannotCreateFile, -3000), (.cannotWriteToFile, -3003),
    ]
    for (code, number) in codes { #expect(code.rawValue == number) }
  }
}
