// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Exercises
import Foundation
import LessonKit
import Lessons
import Pages
import Reports

/// `workbench serve`
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "The lessons in a browser on this machine: read, run, compare. Ctrl-C ends it.",
    discussion: """
      It listens on this machine only, and lets in who has the address that it prints. Each run is kept as JSON in the \
      folder workbench-runs, where “workbench diff” reads it, too.

      Examples:
        workbench serve
        workbench serve --open
        workbench serve --port 8080 --language zh-Hans
      """)

  /// The folder of runs, in the current folder.
  private static let runs = "workbench-runs"

  @Option(help: "The port, 1 to 65535; left out, the system chooses a free one.", transform: Number.port)
  var port: UInt16 = 0
  @Flag(help: "Open the address in your browser.") var open = false
  @OptionGroup var course: CourseOptions
  @Option(help: "Your folder of exercises; left out, as with “workbench exercise”.") var folder: String?
  @OptionGroup var reader: LanguageOptions

  func run() async throws {
    try await ExitStatus.guarding(reader.messages) {
      let site = try LessonSite(settings(), port: port)
      try await Interruption.cancelling {
        try Terminal.show(site.link + "\n")
        reader.messages.tell("Open this address in a browser of this machine. Ctrl-C ends the server.")
        let file = open ? openBrowser(site.link) : nil
        defer { file?.remove() }
        try await site.run()
      }
    }
  }

  private func settings() throws -> SiteSettings {
    let root = LessonText().root
    return SiteSettings(
      lessons: Course.catalog.lessons, course: try course.load(), student: StudentFolder(folder),
      runs: URL(fileURLWithPath: Self.runs, isDirectory: true).path, language: reader.spoken,
      catalogue: { try StringCatalogue($0, root: root) },
      behaviour: { () throws(LessonKitError) in try BehaviourTable(below: root) }, page: { .course($0) })
  }

  /// Hands the address to the desktop, in a file that has to stay until the browser has read it. The browser lives on by
  /// itself.
  private func openBrowser(_ link: String) -> LinkFile? {
    let files = FileManager.default
    let folders = [files.currentDirectoryPath, files.temporaryDirectory.path]
    let messages = reader.messages
    let fail = { @Sendable in messages.tell("No browser could be opened. Open the address above yourself.") }
    guard let file = LinkFile(leadingTo: link, in: folders) else {
      fail()
      return nil
    }
    let opener = Process()
    opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    opener.arguments = ["xdg-open", file.path]
    (opener.standardOutput, opener.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    opener.terminationHandler = { if $0.terminationStatus != 0 { fail() } }
    do { try opener.run() } catch { fail() }
    return file
  }
}
