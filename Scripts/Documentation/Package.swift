// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// A package of its own: packages that depend on the workbench never fetch the plugin.
let package = Package(
  name: "documentation",
  dependencies: [
    .package(name: "workbench", path: "../.."),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"),
  ],
  targets: [
    // What the plugin documents.
    .target(
      name: "Documented",
      dependencies: [
        .product(name: "ConnectionAPI", package: "workbench"),
        .product(name: "SessionAPI", package: "workbench"),
      ]),
    // Looks each public symbol up in the topics.
    .executableTarget(name: "topics", swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
  ]
)
