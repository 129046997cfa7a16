// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

@Suite(.timeLimit(.minutes(2))) struct EjectedPackageTests {
  private let root = LessonText.builtFolder

  private func programs(_ lesson: String, _ examples: String...) throws -> [EjectedProgram] {
    let lesson = try Course.catalog.lesson(named: lesson)
    let chosen = RunOptions(examples: examples).chosen(from: lesson)
    return try EjectedProgram.all(chosen, of: lesson, borrowedFrom: Course.catalog.lessons, root: root)
  }

  @Test func `an example comes with its files, a main function and a stand-in, without the harness`() throws {
    let program = try #require(try programs("12", "connection/mended").first)
    #expect(program.name == "connection-mended")
    #expect(program.imports == [.connection])
    #expect(
      Set(program.files.keys).isSuperset(
        of: ["ExampleContext.swift", "ManagerMended.swift", "NetworkThread.swift", "main.swift"]))
    for (name, source) in program.files { #expect(!source.contains("LessonKit"), "\(name)") }
    let main = try #require(program.files["main.swift"])
    #expect(main.contains("ManagerMended.run(app)\n"))
    #expect(main.contains("Scripts/workbench server --port 8080"))
  }

  @Test(arguments: Course.catalog.lessons.map(\.number))
  func `every example of a lesson can be ejected`(_ number: Int) throws {
    let lesson = try Course.catalog.lesson(named: "\(number)")
    let programs = try EjectedProgram.all(
      lesson.examples, of: lesson, borrowedFrom: Course.catalog.lessons, root: root)
    #expect(programs.count == lesson.examples.count)
    for (program, example) in zip(programs, lesson.examples) {
      #expect(program.files.count >= 3, "\(example.id) has its own file beside the two that are added")
      #expect(program.imports.contains(example.side == .connection ? .connection : .session), "\(example.id)")
    }
  }

  @Test func `the main file says in the reader's language what its example needs`() throws {
    let lesson = try Course.catalog.lesson(named: "22")
    let chosen = RunOptions(examples: ["new-process"]).chosen(from: lesson)
    let programs = try EjectedProgram.all(
      chosen, of: lesson, borrowedFrom: Course.catalog.lessons, root: root,
      in: StringCatalogue(.simplifiedChinese, root: root))
    let main = try #require(programs.first?.files["main.swift"])
    let remarks = main.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("//") }
      .filter { $0.count > 2 && !$0.contains("Scripts/workbench") }
    #expect(remarks.count == 3)
    for remark in remarks { #expect(remark.contains { ("一"..."龥").contains($0) }, "\(remark)") }
  }

  @Test func `what happens around an example is played or said`() throws {
    let touched = try #require(try programs("27", "session/touched").first?.files["main.swift"])
    #expect(touched.contains(", touch: (") && touched.contains("A finger is on the screen from"))
    let stopped = try #require(try programs("21", "session/short").first?.files["main.swift"])
    #expect(stopped.contains("kill -STOP"))
    let twice = try #require(try programs("22", "session/new-process").first?.files["main.swift"])
    #expect(twice.contains(", isKept: true"))
    let secure = try #require(try programs("18", "session/expired").first?.files["main.swift"])
    #expect(secure.contains("server --port 8443 --certificate expired") && secure.contains("https://127.0.0.1:8443/"))
  }

  @Test func `the package depends on the workbench by path and has a target for each program`() throws {
    let package = try EjectedPackage(
      name: "mine", try programs("4", "one-write"), workbench: root.deletingLastPathComponent())
    let manifest = try #require(package.files.first { $0.path == "Package.swift" }?.text)
    #expect(manifest.contains(".package(name: \"workbench\", path: \"\(root.deletingLastPathComponent().path)\")"))
    #expect(manifest.contains("name: \"connection-one-write\",\n      dependencies: [.product(name: \"ConnectionAPI\""))
    #expect(manifest.contains("name: \"session-one-write\",\n      dependencies: [.product(name: \"SessionAPI\""))
  }

  @Test func `a package is written into a new folder, and never over one that is there`() throws {
    let folder = try TestFolder()
    let package = try EjectedPackage(
      name: "mine", try programs("4", "download"), workbench: root.deletingLastPathComponent())
    let path = folder.url.appendingPathComponent("new").path
    try package.write(to: path)
    for file in package.files {
      #expect(try String(contentsOfFile: "\(path)/\(file.path)", encoding: .utf8) == file.text)
    }
    let again = #expect(throws: LessonKitError.self) { try package.write(to: path) }
    #expect(
      again?.description == "“\(path)” is there already, and nothing is written over it. Choose another: --into FOLDER")
    let nowhere = #expect(throws: LessonKitError.self) { try package.write(to: "\(path)/a/b") }
    #expect(
      nowhere?.description
        == "The folder that “\(path)/a/b” is to be in is not there. Make it first, or choose another.")
    #expect(throws: LessonKitError.self) { try package.write(to: "/proc/new") }
  }

  @Test func `a workbench that lies nowhere is said`() throws {
    let programs = try programs("4", "download")
    #expect(throws: LessonKitError.self) {
      try EjectedPackage(name: "mine", programs, workbench: URL(fileURLWithPath: "/nowhere"))
    }
  }
}
