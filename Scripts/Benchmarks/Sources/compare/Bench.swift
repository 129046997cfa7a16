// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Runs one row: C, ours, the peers, C, ours, … Or an earlier build, this one, …
struct Bench {
  var row: Row
  var runs: Int
  var server: ServerProcess
  var folder: TemporaryFolder
  /// Where the programs run; nil for anywhere.
  var processors: [Int]?
  /// The agent of background sessions.
  var agent: String
  /// The program of an earlier build, which then runs in place of C.
  var earlier: String?
  /// The folder of the peers' programs; nil to leave them out.
  var peers: String?
  /// What listens to ours, and the workbench.
  var recorder: (kind: Recording, workbench: String)?

  func run() throws -> Result {
    let runs = min(runs, row.mostRuns)
    var baseline: [Figures] = []
    var ours: [Figures] = []
    var others = peers == nil || row.compared == nil ? [] : Peer.all.map { PeerResult(peer: $0) }
    for turn in 1...runs {
      note("\(row.name): run \(turn) of \(runs)")
      if let earlier {
        baseline.append(try figures(of: earlier))
      } else if let job = row.foreground {
        baseline.append(try figures(of: Self.program("ours"), job))
      } else if row.hasBaseline {
        baseline.append(try figures(of: Self.program("baseline"), row.baselineJob))
      }
      ours.append(try figures(of: Self.program("ours"), recorder: recorder))
      for index in others.indices where others[index].failure == nil { run(&others[index]) }
    }
    return Result(row: row, runs: runs, baseline: baseline, ours: ours, peers: others)
  }

  /// Runs a peer once. What ends it is its result, not the comparison's.
  private func run(_ result: inout PeerResult) {
    do {
      let peer = result.peer
      let prefix = Peer.limit + (server.authority.map(peer.trusting) ?? [])
      result.figures.append(try figures(of: (peers ?? "") + "/" + peer.program, behind: prefix))
    } catch {
      result.failure = "\(error)"
      note("\(row.name): \(error)")
    }
  }

  private func figures(
    of program: String, _ job: [String]? = nil, behind prefix: [String] = [],
    recorder: (kind: Recording, workbench: String)? = nil
  ) throws -> Figures {
    let job = job ?? row.job
    let file = folder.path("body")
    defer { unlink(file) }
    let rest = try job.dropFirst().map { word in
      switch word {
      case "FILE": file
      case "BODY": try folder.makeBody(row.bytes)
      case "LINES": try folder.makeLines(row.bytes)
      default: word
      }
    }
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = folder.url.path
    for name in ["XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
      environment[name] = folder.url.path
    }
    (environment["WORKBENCH_TRANSFER_AGENT"], environment["WORKBENCH_TRANSFER_AGENT_IDLE"]) = (agent, "1")
    environment["BASELINE_BUFFER"] = row.buffer.map { "\($0)" }
    environment["SSL_CERT_FILE"] = server.authority
    let words = prefix + [program, job[0], server.address + row.path, server.address + row.warmUp] + rest
    var command = Processors.keeping(words, to: processors)
    if let recorder, recorder.kind == .measure {
      command = [recorder.workbench, "measure", "--output", folder.path("report"), "--"] + command
    }
    if recorder?.kind == .pitfalls { environment["WORKBENCH_PITFALLS"] = "1" }
    let figures = try Program(command: command, environment: environment).run()
    guard figures.bytes == row.bytes else {
      throw Failure(description: "\(row.name): \(program) moved \(figures.bytes) bytes, \(row.bytes) were expected.")
    }
    return figures
  }

  /// The path of a program of this package: they all stand beside this one.
  static func program(_ name: String) -> String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent(name).path
  }

  private func note(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

/// What a row came to.
struct Result {
  var row: Row
  var runs: Int
  var baseline: [Figures]
  var ours: [Figures]
  var peers: [PeerResult] = []

  /// The figure that a bound judges, from medians.
  func value(_ figure: Row.Figure) -> Double {
    switch figure {
    case .processor, .processorWithAgent, .processorToPlain, .processorToHalf:
      median(ours, \.processor) / median(baseline, \.processor)
    case .processorOfProcess: median(ours, \.processorOfProcess) / median(baseline, \.processorOfProcess)
    case .wall, .wallToForeground: median(ours, \.wall) / median(baseline, \.wall)
    case .growth: median(ours, \.growth) / 1_048_576
    case .growthPerTransfer: median(ours, \.growth) / median(ours, \.transfers) / 1000
    case .growthToSize: median(ours, \.growth) / Double(row.bytes)
    case .threads: median(ours, \.threads)
    }
  }

  /// What a peer costs as a share of what C costs; nil where it did not come to its end.
  func ratio(_ peer: PeerResult) -> Double? {
    guard let compared = row.compared, peer.failure == nil, !peer.figures.isEmpty else { return nil }
    let part: (Figures) -> Double = compared == .wall ? \.wall : \.processor
    return median(peer.figures, part) / median(baseline, part)
  }

  var holds: Bool { row.bounds.allSatisfy { value($0.figure) <= $0.limit } }

  func median(_ figures: [Figures], _ part: (Figures) -> Double) -> Double {
    let sorted = figures.map(part).sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
