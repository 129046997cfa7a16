// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import LessonKit
import Measuring
import Pitfalls
import Subprocess
import Testing

/// Programs that make measuring hard: each gets a report of what was measured, keeps its own exit status, and leaves
/// nothing behind.
@Suite(.serialized, .timeLimit(.minutes(3))) struct MeasureTests {
  @Test func `a program keeps its status its output and its input`() async throws {
    let measured = try await Measured.command([Measured.program, "echo", "3"], input: "words\n")
    #expect(measured.status == .exited(0))
    #expect(measured.output.contains("read words"))
    #expect(measured.process?.loads.count == 3)
    #expect(measured.process?.endedInOrder == true)
    #expect(measured.process?.memory.peak ?? 0 > 1 << 20)
    #expect(Measured.foldersLeft == [])
    #expect(try await Measured.run("status", "7").status == .exited(7))
  }

  @Test func `a report in Chinese has the lessons' words`() async throws {
    let load = try await Measured.alone(#""$WORKBENCH" measure --language zh-Hans -- "$P" load 1"#)
    #expect(load.errors.contains("  新建  主线程") && load.errors.contains("内存最高 "), "\(load.errors)")
    let task = try await Measured.alone(#""$WORKBENCH" measure --language zh-Hans -- "$P" forget 1"#)
    #expect(task.errors.contains("never-resumed（错误），一次，"), "\(task.errors)")
    #expect(task.errors.contains("完成处理块也从未运行"))
  }

  @Test(arguments: [("abort", SIGABRT), ("kill", SIGKILL)])
  func `a program that dies is reported until then`(_ mode: String, _ signal: Int32) async throws {
    let measured = try await Measured.run(mode, "5")
    #expect(measured.status == .exited(128 + signal))
    #expect(measured.process?.loads.count == 5)
    #expect(measured.process?.endedInOrder == false)
    #expect(measured.errors.contains("It was killed, crashed"))
    #expect(Measured.foldersLeft == [])
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal is passed on and the report comes all the same`(_ signal: Int32) async throws {
    let measured = try await Measured.command([Measured.program, "wait", "2"]) { kill($0, signal) }
    #expect(measured.status == .exited(128 + signal))
    #expect(measured.process?.loads.count == 2)
    #expect(Measured.foldersLeft == [])
  }

  @Test func `what is ignored stays ignored`() async throws {
    // The shell ignores SIGHUP, as nohup does, and sends it to the workbench and to the program.
    let line = "trap '' HUP; exec \"$WORKBENCH\" measure -- sh -c 'kill -HUP $PPID; kill -HUP $$; echo alive'"
    let measured = try await Measured.alone(line)
    #expect(measured.status == .exited(0))
    #expect(measured.output.contains("alive"))
  }

  @Test func `the page and the trace show each process with its callbacks`() async throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("pictures-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (page, trace) = (folder.appendingPathComponent("page.html"), folder.appendingPathComponent("trace.json"))
    let run = try await Measured.alone(
      "\"$WORKBENCH\" measure --html \(page.path) --trace \(trace.path) -- \"$P\" client-let-go")
    #expect(run.status == .exited(0))
    let html = try String(contentsOf: page, encoding: .utf8)
    for part in ["session-kept", "http://127.0.0.1:", "urlSession(_:task:didCompleteWithError:)"] {
      #expect(html.contains(part), "\(part)")
    }
    let file = try JSONSerialization.jsonObject(with: Data(contentsOf: trace)) as? [String: Any]
    let names = (file?["traceEvents"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    #expect(names.contains("urlSession(_:task:didCompleteWithError:)"), "\(names)")
    #expect(names.contains("load 1"))
  }

  @Test func `a command that cannot be started ends as in a shell`() async throws {
    let missing = try await Measured.command(["/nowhere/program"])
    #expect(missing.status == .exited(127))
    #expect(missing.errors.contains("There is no program “/nowhere/program”."))
    #expect(try await Measured.command(["/etc/passwd"]).status == .exited(126))
    #expect(Measured.foldersLeft == [])
  }

  @Test func `a program without the libraries is measured by its memory`() async throws {
    let measured = try await Measured.shell("echo out; sleep 0.1; exit 3")
    #expect(measured.status == .exited(3))
    #expect(measured.output == "out\n")
    #expect(measured.result?.processes == [])
    #expect(measured.result?.memory.peak ?? 0 > 0)
    #expect(measured.errors.contains("No process of it used"))
  }

  @Test func `descriptors of the shell reach the program`() async throws {
    let line = "exec \"$WORKBENCH\" measure -- sh -c 'cat <&3' 3<<X\nwords\nX"
    #expect(try await Measured.alone(line).output == "words\n")
  }

  @Test func `each of several processes is reported`() async throws {
    let measured = try await Measured.run("children", "3")
    #expect(measured.status == .exited(0))
    #expect(measured.result?.processes.map(\.loads.count) == [1, 1, 2, 3])
    #expect(measured.result?.processes.allSatisfy(\.endedInOrder) == true)
  }

  @Test func `a program that executes another is reported once for each`() async throws {
    let measured = try await Measured.run("execute", "4")
    #expect(measured.status == .exited(0))
    #expect(measured.result?.processes.map(\.loads.count) == [1, 4])
    #expect(measured.result?.processes.map(\.endedInOrder) == [false, true])
    #expect(try await Measured.run("become-sleep", "2").process?.loads.count == 2)
  }

  @Test func `a fork among loads neither waits nor disturbs the recording`() async throws {
    let measured = try await Measured.run("fork", "300")
    #expect(measured.status == .exited(0))
    #expect(measured.process?.loads.count == 401)
    #expect(measured.process?.endedInOrder == true)
  }

  @Test func `a daemon that closes its descriptors is measured on`() async throws {
    let measured = try await Measured.run("daemonize", "20")
    #expect(measured.status == .exited(0))
    #expect(measured.process?.loads.count == 21)
    #expect(measured.process?.endedInOrder == true)
  }

  @Test func `many threads are measured`() async throws {
    let measured = try await Measured.run("threads", "1000")
    #expect(measured.status == .exited(0))
    #expect(measured.process.map { $0.loads.count + $0.unshown } == 1000)
    #expect(measured.process?.lost == 0)
  }

  @Test func `standard streams may be closed`() async throws {
    let measured = try await Measured.shell("exec \"$P\" load 2 <&- >&- 2>&-")
    #expect(measured.status == .exited(0))
    #expect(measured.process?.loads.count == 2)
    let own = try await Measured.alone("\"$WORKBENCH\" measure -- \"$P\" status 5 <&- >&- 2>&-; echo $?")
    #expect(own.output == "5\n")
  }

  @Test func `a report that finds no place leaves the status alone`() async throws {
    let full = try await Measured.alone("\"$WORKBENCH\" measure -- \"$P\" status 5 2>/dev/full; echo $?")
    #expect(full.output == "5\n")
    let command = "\"$WORKBENCH\" measure -- \"$P\" status 5; echo $? >&3"
    let closed = try await Measured.alone("exec 3>&1; { \(command); } 2>&1 >/dev/null | :")
    #expect(closed.output == "5\n")
  }

  @Test func `where events were lost nothing is concluded from what did not happen`() async throws {
    let measured = try await Measured.run("overflow", "2")
    #expect(measured.status == .exited(0))
    #expect(measured.process?.lost ?? 0 > 0)
    #expect(measured.errors.contains("came too fast to be kept"))
    // The task that was resumed meanwhile is not called suspended; the two that were made afterwards are.
    #expect(measured.process?.pitfalls.map(\.pitfall) == [.neverResumed])
    #expect(measured.process?.pitfalls.map(\.count) == [2])
  }

  @Test func `a flood of the socket costs little and is told`() async throws {
    let measured = try await Measured.run("flood", "600")
    #expect(measured.status == .exited(0))
    #expect(measured.result?.liars == 600)
    #expect(measured.result?.processes.map(\.loads.count) == [1])
    #expect(measured.errors.contains("600 connections to the measurement"))
    #expect(Measured.foldersLeft == [])
  }

  @Test func `a measurement that is killed holds nobody up and the next cleans up`() async throws {
    let killed = try await Measured.alone(
      "export E=$(mktemp -u); \"$WORKBENCH\" measure -- sh -c '\"$P\" load 1; kill -9 $PPID; \"$P\" load 200; echo loaded; : >$E'; "
        + "until [ -e $E ]; do sleep 0.02; done; rm $E")
    #expect(killed.output.contains("loaded"))
    #expect(Measured.foldersLeft.count == 1)
    _ = try await Measured.shell("true")
    #expect(Measured.foldersLeft == [])
  }
}
