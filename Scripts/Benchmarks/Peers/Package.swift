// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// As for the benchmarks themselves, but for MemberImportVisibility: in async-http-client's build the members of `timespec`
/// count as those of one of NIO's own modules.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// What a user would pick instead: a package of its own, so that only `run --peers` builds async-http-client.
let package = Package(
  name: "peers",
  dependencies: [
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
  ],
  targets: [
    // Answers `import SessionAPI` with the toolchain's FoundationNetworking.
    .target(name: "SessionAPI", swiftSettings: settings),
    // The same source as `ours`; the folder is a link to it.
    .executableTarget(name: "toolchain", dependencies: ["SessionAPI"], swiftSettings: settings),
    .executableTarget(
      name: "asynchttpclient",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "_NIOFileSystem", package: "swift-nio"),
      ], swiftSettings: settings),
  ]
)
