// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc
public import LessonKit

/// Examples as a package of their own, which depends on the workbench's libraries by path.
public struct EjectedPackage: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// Its programs, a target each.
  public let programs: [EjectedProgram]
  private let workbench: URL

  /// A package of these programs; the workbench's package lies at `workbench`.
  ///
  /// - Throws: `LessonKitError` with code `environment` when there is no package.
  public init(name: String, _ programs: [EjectedProgram], workbench: URL) throws(LessonKitError) {
    let workbench = workbench.standardizedFileURL.resolvingSymlinksInPath()
    guard FileManager.default.fileExists(atPath: workbench.appendingPathComponent("Package.swift").path) else {
      throw LessonKitError(
        .environment,
        "The package would depend on the workbench's, and \(workbench.path) has no Package.swift. Start the workbench "
          + "with Scripts/workbench in its package's folder.")
    }
    self.name = name
    self.programs = programs
    self.workbench = workbench
  }

  /// All files by their paths, sorted.
  public var files: [(path: String, text: String)] {
    let sources = programs.flatMap { program in
      program.files.map { (path: "Sources/\(program.name)/\($0.key)", text: $0.value) }
    }
    return [(path: "Package.swift", text: manifest)] + sources.sorted { $0.path < $1.path }
  }

  private var manifest: String {
    let targets = programs.map { program in
      let products = program.imports.map(\.rawValue).sorted().map {
        ".product(name: \"\($0)\", package: \"workbench\")"
      }
      return """
            .executableTarget(
              name: "\(program.name)",
              dependencies: [\(products.joined(separator: ", "))]),
        """
    }
    return """
      // swift-tools-version: 6.3
      import PackageDescription

      let package = Package(
        name: "\(name)",
        dependencies: [.package(name: "workbench", path: \(String(reflecting: workbench.path)))],
        targets: [
      \(targets.joined(separator: "\n"))
        ]
      )

      """
  }

  /// Writes the package into a new folder.
  ///
  /// - Throws: `LessonKitError` with code `folder` when the folder is there or cannot be made; nothing is left of it then.
  public func write(to path: String) throws(LessonKitError) {
    guard mkdir(path, 0o777) == 0 else { throw Self.cannotMake(path, errno) }
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    do {
      for (path, text) in files {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw LessonKitError(
        .folder, "The package could not be written to \(path): \(error.localizedDescription). Free some space there.")
    }
  }

  private static func cannotMake(_ path: String, _ code: Int32) -> LessonKitError {
    switch code {
    case EEXIST:
      LessonKitError(
        .folder, "“\(path)” is there already, and nothing is written over it. Choose another: --into FOLDER")
    case ENOENT, ENOTDIR:
      LessonKitError(.folder, "The folder that “\(path)” is to be in is not there. Make it first, or choose another.")
    default:
      LessonKitError(
        .folder,
        "The folder “\(path)” cannot be made: \(String(cString: strerror(code))). Choose another: --into FOLDER")
    }
  }
}
