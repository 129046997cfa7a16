// SPDX-License-Identifier: Apache-2.0
import CLinux
import LessonKit
import Reports

/// The lessons in a browser on this machine: what `workbench serve` serves.
public final class LessonSite: Sendable {
  private let gate: WebGate
  private let server: WebServer
  private let board: JobBoard

  /// The port it listens on.
  public var port: UInt16 { server.port }
  /// The address that lets a browser in.
  public var link: String { "http://127.0.0.1:\(port)/?token=\(gate.token)" }
  /// How many connections are open.
  var connections: Int { server.connections }
  /// How many jobs were started.
  var jobs: Int { board.job?.number ?? 0 }

  /// A site that listens on `port` from now on, or on one that the system chooses for 0; `run()` answers.
  ///
  /// - Throws: `LessonKitError` with code `environment` when it cannot; its sentence names the cure.
  public init(_ settings: SiteSettings, port: UInt16 = 0) throws {
    // A page is made on any thread, from many small values: with a heap for each thread, each keeps room for the largest.
    workbench_share_one_heap()
    let listener = try WebListener(port: port)
    let gate = WebGate(token: HTMLReport.freshNonce(), port: listener.port)
    let board = JobBoard(executable: settings.executable)
    let pages = try SitePages(settings, board: board, cookies: gate)
    (self.gate, self.board) = (gate, board)
    server = WebServer(listener) { request in
      switch gate.decision(on: request) {
      case .pass: await pages.answer(request)
      case .welcome(let path):
        request.isForeign
          ? WebAnswer(leadingTo: path, cookies: [gate.setCookie])
          : WebAnswer(seeOther: path, cookies: [gate.setCookie])
      case .refuse(let status, let sentence): pages.refusal(status, sentence, request)
      }
    }
  }

  /// Serves until the task is cancelled; the run that is under way, its processes and all sockets have ended then.
  ///
  /// - Throws: `CancellationError`; `LessonKitError` with code `environment` where the system has no event queue.
  public func run() async throws {
    do {
      try await server.run()
    } catch {
      await board.end()
      throw error
    }
    await board.end()
  }
}
