// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// A package of its own: only `Scripts/Fuzz/run` builds it, with libFuzzer and AddressSanitizer.
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "workbench", path: "../..")],
  targets: [
    // What is fed and what must hold. A library, because libFuzzer sees no coverage in an executable's own code.
    .target(
      name: "Targets", dependencies: [.product(name: "SessionAPI", package: "workbench")], swiftSettings: settings),
    // libFuzzer's way in.
    .executableTarget(
      name: "Fuzz", dependencies: ["Targets"], swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
  ]
)
