// SPDX-License-Identifier: Apache-2.0
import Glibc
import LessonServer
import SessionAPI
import TestSupport
import Testing

/// LC-08: what a child of the process would inherit while a load runs. In a process of its own, whose descriptors it counts; so
/// not under a sanitizer, which measures itself in every process that ends.
@Suite(.exitTests, .enabled(if: !TestMachine.isSanitized)) struct InheritanceTests {
  /// By number: the file that a descriptor from the test's own process leads to may be renamed or removed there.
  private static var inherited: Set<Int32> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return Set(names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 })
  }

  @Test(arguments: Face.allCases)
  func `a child inherits no descriptor of a load, nor of the connections that wait for the next (LC-08)`(
    face: Face
  ) async throws {
    let (plain, secure) = (LessonServer(), try TestAuthority.server(.trusted))
    try plain.start()
    defer {
      plain.stop()
      secure.stop()
    }
    let urls = [plain.url("/ok"), secure.url("/ok", host: "localhost")]
    await #expect(processExitsWith: .success) { [face = face as Face, urls = urls as [String]] in
      let before = InheritanceTests.inherited
      let client = Client(face)
      for url in urls {
        let request = URLRequest(url: try #require(URL(string: url)))
        #expect(await client.load(request).status == 200)
      }
      #expect(InheritanceTests.inherited.subtracting(before) == [])
      await client.close()
    }
  }
}
