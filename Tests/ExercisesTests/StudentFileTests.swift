// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Exercises

@Suite struct StudentFileTests {
  private func sentence(reading path: String) -> String {
    do throws(LessonKitError) {
      return try StudentFile(reading: path).source
    } catch {
      #expect(error.code == .unreadable)
      return error.description
    }
  }

  @Test func `an argument is a file when it ends like one or has a slash`() {
    #expect(StudentFile.isMeant(by: "mine.swift") && StudentFile.isMeant(by: "./mine"))
    #expect(!StudentFile.isMeant(by: "5") && !StudentFile.isMeant(by: "delegate-progress"))
  }

  @Test func `what is missing, no file, too large or no text is said in a sentence`() throws {
    let folder = try TestFolder()
    let (path, missing) = (folder.url.path, folder.url.path + "/none.swift")
    #expect(sentence(reading: missing) == "There is no file “\(missing)”. Is the path right?")
    #expect(sentence(reading: path) == "“\(path)” is no file. Name the file with your program in it.")
    let large = try folder.write(Data(count: (1 << 20) + 1), to: "large.swift")
    #expect(
      sentence(reading: large) == "“\(large)” has 1048577 bytes. A program may have 1 MiB; is it the right file?")
    let latin = try folder.write(Array("// ä\n// ".utf8) + [0xE4, 0x0A], to: "latin.swift")
    #expect(
      sentence(reading: latin)
        == "“\(latin)” is not UTF-8: line 2 has bytes that are no text. Save it as UTF-8 in your editor.")
  }

  @Test(arguments: [
    ("import SessionAPI", "s"), ("@preconcurrency public import class ConnectionAPI.NSURLConnection", "c"),
    ("import Foundation; import SessionAPI // and ConnectionAPI", "s"),
    ("/* import SessionAPI */ // import ConnectionAPI", ""), ("let a = \"\"\"\nimport SessionAPI\n\"\"\"", ""),
    ("import SessionAPI\r\nimport ConnectionAPI\r\n", "cs"), ("let important = SessionAPI.self", ""),
  ])
  func `an import is found in every spelling, and in code only`(_ source: String, _ expected: String) {
    let imports = StudentFile(path: "a.swift", source: source).imports
    #expect(imports == Set(expected.map { $0 == "s" ? .session : .connection }))
  }

  @Test func `the lesson around it has its name and the column of its library`() {
    let file = StudentFile(path: "folder/mine.swift", source: "import ConnectionAPI")
    #expect(file.lesson.id == "mine")
    #expect(file.lesson.examples.map(\.id) == ["connection/mine"])
    #expect(file.lesson.claims.isEmpty)
  }
}

@Suite struct SwiftTextTests {
  @Test(arguments: [
    ("a /* b /* c */ d */ e", "ae"), (#"f("x \( g(1) ) y", h)"#, "f(,h)"), (##"let t = #"a " b"# + c"##, "lett=+c"),
    ("#if a // b\n#endif", "#ifa\n#endif"), ("\"open\nnext", "\nnext"), (#""\\" + "\"" + a"#, "++a"), ("", ""),
  ])
  func `only code is left of a source, at its place`(_ source: String, _ code: String) {
    let found = SwiftText(source).code
    #expect(found.filter { $0 != " " } == code)
    #expect(found.count == source.count)
    for (letter, place) in zip(found, source) where letter != " " { #expect(letter == place) }
  }

  @Test func `every ending of a source is understood`() {
    let source = "a /* b */ \"c \\(d) \\\" e\" \"\"\"\nf\n\"\"\" #\"g\"# // h"
    for length in 0...source.count { #expect(SwiftText(String(source.prefix(length))).characters.count == length) }
  }
}
