// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// The settings of the workbench itself: what is measured here is written as its examples are.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// A package of its own, so that neither the workbench's build nor its tests ever pay for the benchmarks.
let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "workbench", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // The measure: plain C on the same libcurl.
    .executableTarget(name: "baseline", linkerSettings: [.linkedLibrary("curl")]),
    // What both sides load over TLS or coded; kept in C so that it never is what is waited for.
    .executableTarget(
      name: "bodyserver",
      linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto"), .linkedLibrary("brotlienc")]),
    // The measured: the same jobs, written against Apple's API.
    .executableTarget(
      name: "ours", dependencies: [.product(name: "SessionAPI", package: "workbench")],
      // The toolchain's URLSession, for which the same source is compiled, has no background sessions and no bytes.
      swiftSettings: settings + [.define("OWN")]),
    // Runs both, one after the other, and compares.
    .executableTarget(
      name: "compare",
      dependencies: ["Stored", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: settings),
    // The form in which a comparison is kept.
    .target(name: "Stored", swiftSettings: settings),
    // Draws one that was kept.
    .executableTarget(name: "chart", dependencies: ["Stored"], swiftSettings: settings),
  ]
)
