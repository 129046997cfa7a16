// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// DL-11: the file name that a server proposes is one harmless component, on both APIs.
@Suite struct FileNameTests {
  private static let long = String(repeating: "x", count: 300)

  @Test(arguments: [
    #"attachment; filename="../../x""#, #"attachment; filename="/etc/x""#, #"attachment; filename="..""#,
    #"attachment; filename=".""#, #"attachment; filename="""#, #"attachment; filename="a\b""#,
    #"attachment; filename=".bashrc""#, #"attachment; filename="CON""#, #"attachment; filename="a/../../b/""#,
    "attachment; filename*=UTF-8''%2e%2e%2f%2e%2e%2fx", "attachment; filename*=UTF-8''a%00b",
    "attachment; filename*=UTF-8''a%0d%0ab", "attachment; filename*=UTF-8''%E2%80%AEgnp.exe",
    #"attachment; filename="\#(long)""#, "attachment; filename", "attachment; filename=", ";;;=\"",
  ]) func `no proposal leads out of a folder, hides or replaces (DL-11)`(disposition: String) async throws {
    let names = try await names(for: disposition)
    #expect(names.first == names.last)
    for name in names {
      #expect(!name.isEmpty && name.utf8.count <= 255, "\(name)")
      #expect(!name.hasPrefix(".") && !name.hasPrefix(" "), "\(name)")
      #expect(!name.contains("/") && !name.contains("\\"), "\(name)")
      #expect(name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && $0.value != 0x202E }, "\(name)")
    }
  }

  @Test(arguments: [
    (#"attachment; filename="plain.txt"; filename*=UTF-8''%E2%82%AC.txt"#, "\u{20AC}.txt"),
    (#"attachment; FileName="a\"b.txt""#, "a\"b.txt"), ("attachment; filename=\"\u{20AC}.txt\"", "\u{20AC}.txt"),
    (#"attachment; filename="plain.txt"; filename*=UTF-8''.."#, "plain.txt"), ("attachment", "Unknown"),
    (#"attachment; filename="../escaped""#, "escaped"), (#"attachment; filename="a/../../b/""#, "b"),
    (#"attachment; filename=".bashrc""#, "bashrc"),
  ]) func `the name is the one that was meant (DL-11)`(disposition: String, name: String) async throws {
    #expect(try await names(for: disposition) == [name, name])
  }

  /// Finds the names that both APIs give the file.
  private func names(for disposition: String) async throws -> [String] {
    let answer = Response(fields: [HeaderField("Content-Disposition", disposition)], body: .bytes([1]))
    let server = LessonServer(routes: [Route("/*", script: .response(answer))])
    try server.start()
    let request = URLRequest(url: try #require(URL(string: server.url("/a/.."))))
    let session = URLSession(configuration: .ephemeral)
    let (_, bySession) = try await session.data(for: request)
    let (byConnection, _) = try await NSURLConnection.sendAsynchronousRequest(request, queue: OperationQueue())
    session.finishTasksAndInvalidate()
    server.stop()
    return try [bySession, byConnection].map { try #require($0.suggestedFilename) }
  }
}
