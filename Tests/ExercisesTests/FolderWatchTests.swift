// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Testing

@testable import Exercises

@Suite struct FolderWatchTests {
  @Test func `openings for writing are counted, and a folder within is noticed`() throws {
    let folder = try TestFolder()
    let watch = try #require(FolderWatch(folder.url.path))
    try folder.write([1], to: "one")
    try folder.write([2], to: "two")
    #expect(watch.take() == .counted(2))
    #expect(watch.take() == .counted(0))
    let inner = folder.url.appendingPathComponent("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    try FileManager.default.moveItem(
      at: folder.url.appendingPathComponent("one"), to: inner.appendingPathComponent("a"))
    #expect(watch.take() == .hidden)
    let rule = try CheckKinds.parsing("{kind: opens, at_most: 4}")
    #expect(
      rule.judge(
        RunFacts(
          run: .init(
            result: .init(
              id: "a", title: "", side: .session, outcome: .init(kind: .finished))), caseID: "", bodyBytes: 1, seed: 1,
          opens: .hidden)
      ).holds == false)
  }

  @Test func `a file that was there is seen by each of its names, and once`() throws {
    let (folder, other) = (try TestFolder(), try TestFolder())
    try folder.write([1], to: "old")
    let watch = try #require(FolderWatch(folder.url.path))
    let old = folder.url.appendingPathComponent("old")
    let link = other.url.appendingPathComponent("link")
    try FileManager.default.linkItem(at: old, to: link)
    func open(_ file: URL) throws { try FileHandle(forWritingTo: file).close() }
    try open(old)
    #expect(watch.take() == .counted(1))
    for _ in 1...3 { try open(link) }
    #expect(watch.take() == .counted(3))
  }
}
