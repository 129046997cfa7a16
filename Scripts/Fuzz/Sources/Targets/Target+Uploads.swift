// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationNetworking

@testable import HTTPRules
@testable import Transport
@testable import URLLoading

// Uploads that go on: what the server says of them, and what a file says.
extension Target {
  /// Resume data of uploads: what is read can be written and read again, and names no file but of ours by a name alone.
  static let uploadData = Target("upload-data") { bytes in
    guard let record = try? UploadRecord(data: Data(bytes)), let again = record.data else { return }
    check((try? UploadRecord(data: again)) == record, "resume data that changes when it is written")
    check(["http", "https"].contains(record.resource.scheme?.lowercased()), "the upload goes on at \(record.resource)")
    check((record.count ?? 0) >= 0, "a body of \(record.count ?? 0) bytes")
    if case .spooled(let name, _, _) = record.body { check(!name.contains("/"), "a file elsewhere: \(name)") }
  }

  private static let secrets = ["Authorization": "secret", "Cookie": "secret", "Content-Type": "text/plain"]

  /// Heads that name a resource (104) and that say how much has come: an upload never goes on in the clear that began
  /// secured, no secret goes to another origin, and every request that follows can be sent.
  static let uploadFields = Target("upload-fields") { bytes in
    guard let url = URL(string: "https://example.com/upload") else { return }
    var original = URLRequest(url: url)
    original.httpMethod = "POST"
    for (name, value) in secrets { original.setValue(value, forHTTPHeaderField: name) }
    var judge = HeadJudge(requestMethod: "POST", allowsHTTP2: false)
    var known: URL?
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
      let ended = Array(line) + [10]
      let verdict = judge.line(ended.span)
      switch verdict {
      case .fault: return
      case .interim(let head): known = UploadFields.resource(in: head, for: url) ?? known
      case .final(let head):
        let offset = UploadFields.offset(in: head)
        check(offset.map { (0..<1_000_000_000_000_000).contains($0) } ?? true, "the offset \(offset ?? 0)")
        _ = UploadFields.isComplete(in: head)
        if let known { judgeRequests(original, known, offset ?? 0) }
      case .more, .trailer: break
      }
    }
  }

  private static func judgeRequests(_ original: URLRequest, _ resource: URL, _ offset: Int64) {
    check(resource.scheme?.lowercased() == "https", "the upload goes on at \(resource)")
    let isSame = RedirectRules.isSameOrigin(original.url, resource)
    for request in [
      UploadFields.question(original, to: resource), UploadFields.rest(original, to: resource, from: offset),
    ] {
      for name in ["Authorization", "Cookie"] {
        check(isSame || request.value(forHTTPHeaderField: name) == nil, "a secret for another origin")
      }
      guard let sent = try? RequestRules.transferRequest(for: request, body: nil, configuration: LoadConfiguration())
      else { continue }
      check(sent.fields.allSatisfy(\.isSendable), "a field that cannot be sent")
    }
  }

  /// A whole upload whose server says anything, two bytes an event: the rest never begins behind the end, and an upload
  /// that gets nowhere is given up.
  static let uploadCourse = Target("upload-course") { bytes in
    guard let first = URL(string: "https://example.com/1"), let other = URL(string: "https://example.com/2") else {
      return
    }
    let length: Int64? = (bytes.first ?? 0) & 1 == 0 ? 100 : nil
    let isResumed = (bytes.first ?? 0) & 2 == 0
    var machine = UploadMachine(length: length, resource: isResumed ? first : nil)
    var order = isResumed ? machine.resumed() : nil
    var (best, questions) = (Int64(0), 0)
    for index in stride(from: 1, to: bytes.count - 1, by: 2) {
      switch bytes[index] & 3 {
      case 0: machine.announced(other)
      case 1:
        order = machine.interrupted()
        questions += 1
      case 2 where machine.step != .whole && machine.step != .offset:
        order = machine.contradicted()
        questions += 1
      case 3 where machine.step == .offset:
        let offset = Int64(Int8(bitPattern: bytes[index + 1]))
        order = machine.offsetReported(
          status: [200, 204, 404, 409][Int(bytes[index] >> 6)], offset: bytes[index] & 4 == 0 ? offset : nil,
          isComplete: bytes[index] & 8 == 0 ? nil : bytes[index] & 16 == 0)
      default: break
      }
      if order == .giveUp || order == .finish { return }
      check(questions <= UploadMachine.attemptLimit, "nothing has come for \(questions) questions")
      guard case .append(_, let offset) = order else { continue }
      check(offset >= 0 && offset <= length ?? .max, "the rest of \(length ?? -1) bytes behind \(offset)")
      if offset > best { (best, questions) = (offset, 0) }
    }
  }
}
