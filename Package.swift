// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// One list for every target: Swift 6 mode, the features Swift 7 will turn on, and no warning that stays.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A Swift target of ours; the arrows of the architecture are exactly these `of` lists.
/// A `strict` one marks each expression whose memory safety the compiler cannot prove with `unsafe`.
func module(
  _ name: String, of dependencies: [Target.Dependency] = [], strict: Bool = false, path: String? = nil,
  exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, exclude: exclude,
    swiftSettings: settings + (strict ? [.strictMemorySafety()] : []))
}

func tests(_ name: String, of dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The lessons. Their texts lie beside their programs, and each has an exercise: a student's file is compiled alone, and so are
/// its solution and near misses.
let lessons = [
  "01-first-request", "02-blocking-call", "03-completion-queue", "04-memory-peak", "05-delegate-progress",
  "06-accumulate", "07-file-handle", "08-output-stream", "09-run-loop-modes", "10-no-run-loop",
  "11-run-loop-fixes", "12-network-thread", "13-response-again", "14-endings", "15-redirects", "16-upload",
  "17-challenges", "18-server-trust", "19-caching", "20-many-requests", "21-suspended-process", "22-resume",
  "23-segmented-download", "24-session-lifetime", "25-configuration", "26-suspend-resume-cancel",
  "27-five-shortcomings",
].flatMap { number in ["lesson.md", "lesson.zh-Hans.md", "exercise"].map { "lesson-\(number)/\($0)" } }

/// What belongs to the course as a whole: texts that a learner reads, translations, claims, and what was measured.
let courseTexts = [
  "Texts", "course.md", "course.zh-Hans.md", "glossary.md", "glossary.zh-Hans.md", "using.md", "using.zh-Hans.md",
  "teaching.md", "teaching.zh-Hans.md", "claims.yml", "figures.json", "behaviour.json", "Toolchain",
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let rainbow = Target.Dependency.product(name: "Rainbow", package: "Rainbow")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")

let package = Package(
  name: "workbench",
  products: [
    .library(name: "ConnectionAPI", targets: ["ConnectionAPI"]),
    .library(name: "SessionAPI", targets: ["SessionAPI"]),
    .executable(name: "url-transfer-agent", targets: ["TransferAgent"]),
    .executable(name: "workbench", targets: ["workbench"]),
  ],
  dependencies: [
    // Two clones build the same code: mendings alone are taken, and of a version 0 not even those.
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/swiftlang/swift-subprocess", .upToNextMinor(from: "1.0.2")),
    .package(url: "https://github.com/onevcat/Rainbow", .upToNextMinor(from: "4.2.2")),
    .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", .upToNextMinor(from: "2.1.1")),
    .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
  ],
  targets: [
    // Floor 0
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
    .systemLibrary(
      name: "CCMarkGFM", pkgConfig: "libcmark-gfm",
      providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
    .target(name: "CLinux"),
    module("Locking", strict: true),
    // Floor 1
    module("Timeline", of: ["Locking"], strict: true),
    module("Delivery", of: ["Locking", "Timeline"], strict: true),
    module("HTTPRules", of: ["COpenSSL"], strict: true),
    module("Pitfalls", of: ["Timeline"], strict: true),
    // Floor 2
    module(
      "Transport", of: ["CBrotli", "CCurl", "CLinux", "COpenSSL", "CZlib", "HTTPRules", "Locking", "Timeline"],
      strict: true),
    module("LessonServer", of: ["CLinux", "COpenSSL", "CNGHTTP2", "Locking"]),
    module("Recorder", of: ["CLinux", "Locking", "Pitfalls", "Timeline"], strict: true),
    // Floor 3
    module("URLLoading", of: ["CLinux", "HTTPRules", "Transport", "Timeline", "Locking"], strict: true),
    module("BackgroundTransfers", of: ["CLinux", "HTTPRules", "Locking", "URLLoading"], strict: true),
    // Floor 4
    module(
      "ConnectionAPI", of: ["HTTPRules", "URLLoading", "Delivery", "Recorder", "Timeline", "Locking"], strict: true),
    module(
      "SessionAPI",
      of: ["BackgroundTransfers", "CLinux", "HTTPRules", "URLLoading", "Delivery", "Recorder", "Timeline", "Locking"],
      strict: true),
    .executableTarget(
      name: "TransferAgent", dependencies: ["BackgroundTransfers", "URLLoading", "CLinux", "Locking"],
      swiftSettings: settings + [.strictMemorySafety()]),
    // Floor 5
    module(
      "LessonKit", of: ["CLinux", "COpenSSL", "LessonServer", "Pitfalls", "Timeline", "Locking", subprocess, yams]),
    module("WarmUps", of: ["ConnectionAPI", "SessionAPI"], strict: true),
    module("Exercises", of: ["CLinux", "LessonKit", "LessonServer", "Locking", "Pitfalls", subprocess, yams]),
    // Floor 6
    module(
      "Lessons", of: ["LessonKit", "Pitfalls", "WarmUps", "ConnectionAPI", "SessionAPI"], path: "Lessons",
      exclude: lessons + courseTexts),
    module("Measuring", of: ["CLinux", "LessonKit", "Locking", "Pitfalls", "Recorder", "Timeline", yams]),
    // Floor 7
    module("Reports", of: ["CCMarkGFM", "LessonKit", "Locking", "Measuring", "Pitfalls", rainbow, mustache]),
    module(
      "Pages",
      of: ["CLinux", "Reports", "LessonKit", "Exercises", "Pitfalls", "Locking", flyingSocks, mustache, subprocess],
      strict: true),
    // Floor 8
    .executableTarget(
      name: "workbench",
      dependencies: [
        "CCurl", "Lessons", "LessonKit", "LessonServer", "Exercises", "Measuring", "Pages", "Pitfalls", "Reports",
        "Transport",
        "Locking", argumentParser,
      ],
      swiftSettings: settings
    ),
    // Tests
    .target(name: "TestHome", path: "Tests/TestHome"),
    .target(
      name: "TestSupport", dependencies: ["CLinux", "TestHome"], path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "ServerParts", dependencies: ["COpenSSL", "LessonServer", "Locking", "Transport"],
      path: "Tests/ServerParts",
      swiftSettings: settings),
    tests("TimelineTests", of: ["Timeline", "Locking", "TestSupport"]),
    tests("DeliveryTests", of: ["Delivery", "Timeline", "Locking", "TestSupport"]),
    tests("LessonServerTests", of: ["ServerParts", "LessonServer", "COpenSSL", "CNGHTTP2", "Locking"]),
    .executableTarget(
      name: "ToyLessons", dependencies: ["LessonKit", "LessonServer", "Timeline", "ConnectionAPI"],
      path: "Tests/ToyLessons", swiftSettings: settings),
    .testTarget(
      name: "ReportsTests", dependencies: ["Reports", "LessonKit", "Lessons"], exclude: ["Golden"],
      swiftSettings: settings),
    tests(
      "WorkbenchTests", of: ["workbench", "LessonKit", "Lessons", "Locking", "Reports", "TestSupport", subprocess]),
    tests(
      "PagesTests",
      of: ["Pages", "Exercises", "Lessons", "LessonKit", "Reports", "Locking", "TestSupport", "workbench"]),
    .testTarget(
      name: "ExercisesTests",
      dependencies: ["Exercises", "Lessons", "LessonKit", "LessonServer", "workbench", subprocess],
      exclude: ["Golden"], swiftSettings: settings),
    .executableTarget(
      name: "MeasuredProgram", dependencies: ["ConnectionAPI", "SessionAPI"], path: "Tests/MeasuredProgram",
      swiftSettings: settings),
    tests("PitfallsTests", of: ["Pitfalls", "Recorder", "Timeline"]),
    tests("MeasuringTests", of: ["LessonKit", "Measuring", "MeasuredProgram", "Pitfalls", "workbench", subprocess]),
    tests("LessonTests", of: ["Lessons", "LessonKit", "Pitfalls", "Reports", "workbench"]),
    tests("LessonKitTests", of: ["LessonKit", "LessonServer", "Pitfalls", "Timeline", "Locking", "ToyLessons"]),
    tests("HTTPRulesTests", of: ["HTTPRules"]),
    tests(
      "TransportTests",
      of: [
        "HTTPRules", "ServerParts", "TestSupport", "Transport", "LessonServer", "Locking", "CCurl", "COpenSSL", "CZlib",
      ]),
    tests(
      "URLLoadingTests",
      of: [
        "CLinux", "COpenSSL", "ServerParts", "HTTPRules", "TestSupport", "URLLoading", "Transport", "LessonServer",
        "Locking",
      ]),
    .executableTarget(
      name: "BackgroundProgram", dependencies: ["SessionAPI"], path: "Tests/BackgroundProgram", swiftSettings: settings),
    .target(name: "CallTracer", path: "Tests/CallTracer"),
    .executableTarget(
      name: "KillAtCall", dependencies: ["CallTracer"], path: "Tests/KillAtCall", swiftSettings: settings),
    tests(
      "SessionAPITests",
      of: [
        "TestSupport", "BackgroundProgram", "BackgroundTransfers", "HTTPRules", "KillAtCall", "LessonServer",
        "Locking", "ServerParts", "SessionAPI", "Timeline", "TransferAgent", "URLLoading",
      ]),
    tests(
      "ParityTests",
      of: [
        "CLinux", "CNGHTTP2", "ServerParts", "TestSupport", "ConnectionAPI", "SessionAPI", "LessonServer", "Locking",
        "Transport",
      ]),
    tests("ConnectionAPITests", of: ["TestSupport", "ConnectionAPI", "LessonServer", "Timeline", "Locking"]),
  ]
)

/// What teaches and shows, above the libraries: not needed by who only loads.
let aboveTheLibraries = [
  "CCMarkGFM", "LessonKit", "WarmUps", "Exercises", "Lessons", "Measuring", "Pages", "Reports", "workbench",
  "ToyLessons",
]

func isTestOfTheWorkbench(_ target: Target) -> Bool {
  target.type == .test
    && target.dependencies.contains { dependency in
      guard case .byNameItem(let name, _) = dependency else { return false }
      return aboveTheLibraries.contains(name)
    }
}

/// The whole package, or the libraries, their agent and their tests, which need nothing that has to be fetched: the package
/// manager fetches nothing for who depends on those by path, address or version. Our scripts ask for the whole; neither a
/// trait nor the package's folder decides: a manifest knows no traits, and targets without their packages would not compile.
let isWhole = ["WORKBENCH_WHOLE", "WORKBENCH_ONE_BUILD"].contains { Context.environment[$0] != nil }

/// The test targets to build, with spaces between: `Scripts/test` names what sanitizers watch, or what a filter asks for.
let named = Context.environment["WORKBENCH_TESTS"]?.split(separator: " ").map(String.init)

package.targets.removeAll { target in
  guard target.type == .test else { return false }
  if let named { return !named.contains(target.name) }
  return !isWhole && isTestOfTheWorkbench(target)
}
// The packages stay listed: without any, the package manager would remove Package.resolved, which the next whole build needs.
if !package.targets.contains(where: isTestOfTheWorkbench) {
  package.targets.removeAll { aboveTheLibraries.contains($0.name) }
  package.products.removeAll { $0.name == "workbench" }
}

/// The one build that serves command, tests and exercises (`Scripts/package`) optimizes the libraries and what is measured,
/// and nothing else. Only our scripts set the variable, so that a package that depends on this one sees no unsafe flags.
if Context.environment["WORKBENCH_ONE_BUILD"] != nil {
  for target in package.targets where ![.system, .test].contains(target.type) {
    guard target.path?.hasPrefix("Tests/") != true, !aboveTheLibraries.contains(target.name) else { continue }
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
  }
}
