// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import Foundation
import TestSupport
import Testing

/// The sentences with which a connection ends a program that misuses it, word for word (A.2). Each test is a process of its own.
@Suite(.exitTests, .inOrder) struct ProgrammerErrorTests {
  private static let mixture = """
    NSURLConnection: A connection was both scheduled on a run loop and given a delegate queue. Its callbacks can go to \
    one of them: call schedule(in:forMode:) or setDelegateQueue(_:), not both.\n
    """

  private func said(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func `a schedule and then a queue end the program (A.2)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let connection = NSURLConnection(request: .unused, delegate: nil, startImmediately: false)
      connection?.schedule(in: .main, forMode: .default)
      connection?.setDelegateQueue(OperationQueue())
    }
    #expect(said(result).contains(Self.mixture))
  }

  @Test func `a program's own log hears it in place of standard error (A.2)`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      URLLoadingLog.setHandler { message in
        let line = "\(message.level.rawValue)|\(message.label)|\(message.text)\n"
        try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
      }
      let connection = NSURLConnection(request: .unused, delegate: nil)
      connection?.schedule(in: .main, forMode: .common)
      let other = NSURLConnection(request: .unused, delegate: nil, startImmediately: false)
      other?.schedule(in: .main, forMode: .default)
      other?.setDelegateQueue(OperationQueue())
    }
    let heard = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(heard.contains("warning|NSURLConnection|schedule(in:forMode:) had no effect"))
    #expect(heard.contains("critical|NSURLConnection|A connection was both scheduled"))
    #expect(!said(result).contains("NSURLConnection: "))
  }

  @Test func `a queue and then a schedule end the program (A.2)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let connection = NSURLConnection(request: .unused, delegate: nil, startImmediately: false)
      connection?.setDelegateQueue(OperationQueue())
      connection?.schedule(in: .main, forMode: .default)
    }
    #expect(said(result).contains(Self.mixture))
  }

  @Test func `scheduling after the start is noted once, and the program goes on (A.2)`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let connection = NSURLConnection(request: .unused, delegate: nil)
      connection?.schedule(in: .main, forMode: .common)
      connection?.schedule(in: .main, forMode: .default)
      connection?.cancel()
    }
    #expect(
      said(result) == """
        NSURLConnection: schedule(in:forMode:) had no effect: the connection has already started. Create it with \
        startImmediately: false, call schedule(in:forMode:), then start().\n
        """)
  }

  @Test func `a queue after an explicit schedule and start is noted (A.2)`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let connection = NSURLConnection(request: .unused, delegate: nil, startImmediately: false)
      connection?.schedule(in: .main, forMode: .default)
      connection?.start()
      connection?.setDelegateQueue(OperationQueue())
      connection?.cancel()
    }
    #expect(
      said(result) == """
        NSURLConnection: setDelegateQueue(_:) had no effect: the connection has already started. Create it with \
        startImmediately: false, call setDelegateQueue(_:), then start().\n
        """)
  }
}

extension URLRequest {
  /// A request that no test sends.
  fileprivate static var unused: URLRequest {
    URLRequest(url: URL(string: "http://127.0.0.1:9/") ?? URL(filePath: "/"))
  }
}
