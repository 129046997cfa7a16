// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LessonKit

/// The products of the package's build that a person's own program is compiled against and linked with.
public struct BuiltWorkbench: Sendable, Hashable {
  /// The modules that a program is linked with: what LessonKit, WarmUps and both APIs stand on.
  private static let linked = [
    "CLinux", "Locking", "Timeline", "Delivery", "HTTPRules", "Pitfalls", "Recorder", "Transport", "LessonServer",
    "URLLoading",
    "BackgroundTransfers",
    "ConnectionAPI", "SessionAPI", "LessonKit", "WarmUps", "Subprocess", "SystemPackage", "CSystem",
    "_SubprocessCShims", "Yams", "CYaml",
  ]

  /// The folder of the build's products, such as `.build-shared/debug`.
  let products: URL
  var package: URL { products.appendingPathComponent("../../..").standardizedFileURL }
  private var checkouts: URL { products.appendingPathComponent("../../checkouts").standardizedFileURL }

  /// The build that the running executable belongs to, or the one in the folder `products`.
  ///
  /// - Throws: `LessonKitError` with code `environment` when the modules are not there.
  public init(products: URL? = nil) throws(LessonKitError) {
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    self.products = (products ?? executable.deletingLastPathComponent()).resolvingSymlinksInPath()
    let needed = [
      "Modules/LessonKit.swiftmodule", "Modules/WarmUps.swiftmodule", "../../../Sources/CCurl/module.modulemap",
    ]
    for file in needed where !FileManager.default.fileExists(atPath: path(file)) {
      throw LessonKitError(
        .environment,
        "A program of your own is compiled against the modules of the workbench's build, and \(path(file)) is "
          + "missing. Start the workbench with Scripts/workbench in its package's folder, which builds them.")
    }
  }

  /// Where the compiler finds modules, Swift's and C's. A module of C has a map in its sources, or the build made one.
  var searchFlags: [String] {
    let system = ["CCurl", "COpenSSL", "CZlib", "CBrotli", "CNGHTTP2"].map {
      package.appendingPathComponent("Sources/\($0)").path
    }
    let maps = Self.linked.map { path("\($0).build/module.modulemap") }.filter(FileManager.default.fileExists)
    return ([path("Modules")] + system + headerFolders).flatMap { ["-I", $0] }
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }

  /// The folders of the other packages' headers that have a map.
  private var headerFolders: [String] {
    let names = { (folder: URL) in ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
    return names(checkouts).flatMap { package in
      let sources = checkouts.appendingPathComponent("\(package)/Sources")
      return names(sources).map { sources.appendingPathComponent("\($0)/include").path }
    }.filter { FileManager.default.fileExists(atPath: $0 + "/module.modulemap") }
  }

  /// The system's libraries that the modules need.
  let libraryFlags = ["-lswiftSynchronization", "-lcurl", "-lssl", "-lcrypto", "-lz", "-lbrotlidec", "-lnghttp2"]

  /// The archive with the objects of the modules.
  var archive: URL { products.appendingPathComponent("libworkbench-programs.a") }

  /// The object files of the modules, sorted. Those of C lie in folders as their sources do.
  ///
  /// The build's folder keeps the objects of sources that were moved or removed; what they define is defined elsewhere now.
  var objects: [String] {
    Self.linked.flatMap { module in
      let folder = path("\(module).build")
      let sources = sourceNames(of: module)
      return files(below: folder).filter { $0.hasSuffix(".o") }.sorted()
        .filter { sources.isEmpty || sources.contains(($0.dropLast(2).components(separatedBy: "/").last) ?? "") }
        .map { "\(folder)/\($0)" }
    }
  }

  /// The names of the source files of a module of this package; none of another package's.
  private func sourceNames(of module: String) -> Set<String> {
    let files = files(below: package.appendingPathComponent("Sources/\(module)").path)
    return Set(files.compactMap { $0.components(separatedBy: "/").last })
  }

  private func files(below folder: String) -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  }

  private func path(_ file: String) -> String { products.appendingPathComponent(file).standardizedFileURL.path }
}
