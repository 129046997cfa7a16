// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Glibc
import Stored

/// Runs each job as a plain C program and as ours, one after the other, and prints the ratios beside their bounds.
@main
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares the Session module with plain C programs on the same libcurl.",
    discussion: """
      Both sides run by turns against the lesson server, which is a process of its own. The figures are medians; \
      processor time and the growth of memory are those of the job, after a first small transfer; processor time \
      of the whole process, by the kernel's accounting of the finished child, is shown beside it.

      The servers have the first processor to themselves and the programs the others, so that neither side is charged \
      for the server's work; with --shared all run wherever the system puts them.

        compare --workbench .build-shared/debug/workbench --rows download,small --runs 9
        compare --workbench .build-shared/debug/workbench --rows discard --runs 31 --shared
        compare --workbench .build-shared/debug/workbench --before earlier/ours --rows small,cached
        compare --workbench .build-shared/debug/workbench --recorded measure --rows small,download
      """)

  @Option(help: "The built workbench, whose lesson server is used.")
  var workbench: String

  @Option(help: "How often each side runs.")
  var runs = 7

  @Option(help: "The rows to run, by name, with commas between them: \(Row.all.map(\.name).joined(separator: ", ")).")
  var rows: String?

  @Flag(help: "Lets servers and programs share all processors.")
  var shared = false

  @Option(help: "The folder of the peers’ programs, which run beside; Scripts/Benchmarks/run --peers builds them.")
  var peers: String?

  @Option(
    help: """
      The program `ours` of an earlier build: it runs in place of C, and no row may cost this build three percent more. \
      Scripts/Benchmarks/run --before REVISION builds it.
      """)
  var before: String?

  @Option(
    help: """
      The recorder that listens to this build, which runs beside itself without one: “measure”, as the reader is another \
      process, or “pitfalls”, as the program reads itself.
      """)
  var recorded: Recording?

  @Option(help: "Also writes the figures to this file, as JSON, for `chart`.")
  var json: String?

  func validate() throws {
    guard runs > 0 else { throw ValidationError("--runs \(runs): at least one run is needed.") }
    if isAboutOurs, peers != nil || json != nil || before != nil && recorded != nil {
      throw ValidationError("--before and --recorded go without each other, --peers and --json: both sides are ours.")
    }
    _ = try chosenRows()
  }

  func run() throws {
    // A handler, not "ignore": programs started from here inherit what is ignored, and would not end.
    signal(SIGINT) { _ in }
    let processors = shared ? nil : Processors()
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var servers: [Row.Server: ServerProcess] = [:]
    defer { for server in servers.values { server.stop() } }
    var results: [Result] = []
    for row in try chosenRows() {
      let server = try servers[row.server] ?? start(row.server, folder, on: processors?.servers)
      servers[row.server] = server
      let bench = Bench(
        row: row, runs: runs, server: server, folder: folder, processors: processors?.programs,
        agent: URL(filePath: workbench).deletingLastPathComponent().appending(path: "url-transfer-agent").path,
        earlier: before ?? recorded.map { _ in Bench.program("ours") }, peers: peers,
        recorder: recorded.map { ($0, workbench) })
      results.append(try bench.run())
    }
    print(Self.heading(processors))
    let table = Table(results, beside: before != nil ? "before" : recorded != nil ? "alone" : "C")
    print(table.text)
    print(table.markdown)
    if let json { try store(results, in: URL(filePath: json), Self.heading(processors)) }
    if !results.allSatisfy(\.holds) { throw ExitCode(1) }
  }

  private func start(_ server: Row.Server, _ folder: TemporaryFolder, on processors: [Int]?) throws -> ServerProcess {
    let authority = folder.path("authority.pem")
    // "workbench server" tells a person where it lies.
    let lessons = FileManager.default.temporaryDirectory.appending(path: "workbench-authority-PORT.pem").path
    return switch server {
    case .lessons: try ServerProcess([workbench, "server"], on: processors)
    case .secureLessons:
      try ServerProcess([workbench, "server", "--certificate", "trusted"], authority: lessons, on: processors)
    case .bodies: try ServerProcess([Bench.program("bodyserver")], on: processors)
    case .secureBodies:
      try ServerProcess([Bench.program("bodyserver"), authority], authority: authority, on: processors)
    }
  }

  private func store(_ results: [Result], in file: URL, _ arrangement: String) throws {
    var comparison = Comparison(runs: runs, arrangement: arrangement, rows: results.map(Table.stored))
    comparison.measured = Date.now.formatted(.iso8601.year().month().day())
    comparison.machine = Machine.words
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(comparison).write(to: file)
  }

  private static func heading(_ processors: Processors?) -> String {
    guard let processors else { return "Servers and programs share all processors." }
    return "Servers on processor \(processors.servers[0]), programs on \(processors.programs.count) other."
  }

  private var isAboutOurs: Bool { before != nil || recorded != nil }

  private func chosenRows() throws -> [Row] {
    let ours = Row.all.filter { $0.foreground == nil }
    let all =
      before != nil ? ours.map(\.besideEarlier) : recorded != nil ? ours.map(\.recorded) : Row.all
    guard let rows else { return all }
    return try rows.split(separator: ",").map { name in
      guard let row = all.first(where: { $0.name == name }) else {
        throw ValidationError("There is no row \"\(name)\".")
      }
      return row
    }
  }
}

/// What listens to a program's loads.
enum Recording: String, ExpressibleByArgument {
  case measure, pitfalls
}

/// What ended the comparison.
struct Failure: Error, CustomStringConvertible {
  var description: String
}
