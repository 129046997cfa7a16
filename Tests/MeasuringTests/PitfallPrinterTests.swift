// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Measuring
import Subprocess
import Testing

/// `WORKBENCH_PITFALLS` in programs whose standard error is not as usual.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PitfallPrinterTests {
  @Test func `each pitfall is said once with a sum`() async throws {
    let said = try await Measured.alone("exec \"$P\" forget 3")
    #expect(said.status == .exited(0))
    #expect(said.errors.components(separatedBy: "pitfall never-resumed").count == 2)
    #expect(said.errors.contains("pitfalls: never-resumed 3"))
  }

  @Test(arguments: [("client-let-go", true), ("client-kept", false), ("client-ended", false)])
  func `a client that is its own session's delegate is found where it is let go`(
    _ mode: String, isFound: Bool
  ) async throws {
    let said = try await Measured.alone("exec \"$P\" \(mode)")
    #expect(said.status == .exited(0))
    #expect(said.errors.contains("pitfall session-kept (look)") == isFound, "\(said.errors)")
  }

  @Test func `a file is judged that a callback has when the program ends`() async throws {
    let said = try await Measured.alone("exec \"$P\" download-left")
    #expect(said.errors.contains("pitfall file-left (wrong) at "), "\(said.errors)")
    #expect(said.errors.contains(", GET http://127.0.0.1:"), "\(said.errors)")
  }

  @Test(arguments: ["2>&-", "2>/dev/full", "2>&1 >/dev/null | :"])
  func `a program whose errors go nowhere keeps its status`(_ redirection: String) async throws {
    let said = try await Measured.alone("exec 3>&1; { \"$P\" forget 3; echo $? >&3; } \(redirection)")
    #expect(said.output == "0\n")
  }

  @Test func `a setuid program heeds neither variable`() async throws {
    guard geteuid() == 0 else { return }
    let copying = "d=$(mktemp -d); chmod 755 $d; cp \"$P\" $d/p; chown 65534 $d/p; chmod 4755 $d/p"
    let said = try await Measured.alone("\(copying); $d/p forget 3; rm -r $d")
    #expect(said.status == .exited(0))
    #expect(said.errors == "")
    let measured = try await Measured.shell("\(copying); $d/p load 3; rm -r $d")
    #expect(measured.result?.processes == [])
  }
}
