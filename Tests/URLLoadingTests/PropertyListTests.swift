// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import URLLoading

@Suite struct PropertyListTests {
  private static let list = PropertyList.dictionary([
    "text": .string("a <b> & \"c\" 'd' ü\u{1F600}\t"), "": .string(""), "number": .integer(-5),
    "most": .integer(.max), "least": .integer(.min), "real": .real(0.25),
    "inner": .dictionary(["empty": .dictionary([:]), "key": .string("value")]),
  ])

  @Test func `what is written is read back, by us and by the toolchain (FZ-7)`() throws {
    let document = try #require(Self.list.document)
    #expect(PropertyList(document: Array(document.utf8)) == Self.list)
    let object = try PropertyListSerialization.propertyList(from: Data(document.utf8), format: nil)
    let theirs = try #require(object as? [String: Any])
    #expect(theirs["text"] as? String == "a <b> & \"c\" 'd' ü\u{1F600}\t")
    #expect(theirs["most"] as? Int == .max)
    #expect((theirs["inner"] as? [String: Any])?["key"] as? String == "value")
  }

  @Test func `what the toolchain writes again is read, too`() throws {
    let list = PropertyList.dictionary(["a": .string("<&>"), "b": .integer(7), "c": .dictionary([:]), "d": .real(1.5)])
    let object = try PropertyListSerialization.propertyList(
      from: Data(try #require(list.document).utf8), format: nil)
    let theirs = try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
    #expect(PropertyList(document: Array(theirs)) == list)
  }

  @Test(arguments: ["\u{0}", "\u{1}", "\n", "\r", "\u{FFFE}"])
  func `a text that XML cannot hold is not written`(text: String) {
    #expect(PropertyList.string(text).document == nil)
    #expect(PropertyList.dictionary([text: .string("")]).document == nil)
  }

  @Test(arguments: [
    "<dict><key>a</key></dict>", "<dict><string>a</string></dict>", "<dict><key>a</key><string>1</dict>",
    "<dict><key>a</key><string>1</string><key>a</key><string>2</string></dict>", "<array/>", "<true/>",
    "<data>AA==</data>",
    "<string>&#65;</string>", "<string>&evil;</string>", "<string>&amp</string>", "<string><![CDATA[a]]></string>",
    "<string><!-- a --></string>", "<integer>+1</integer>", "<integer>0x1</integer>", "<integer></integer>",
    "<integer>9223372036854775808</integer>", "<integer>1 </integer>", "<real>nan</real>", "<real>inf</real>",
    "<real>1e</real>", "<string>a</string><string>b</string>", "<dict", "<dict>", "", "<string>\u{1}</string>",
    "<dict><key>1</key><dict><key>2</key><dict><key>3</key><dict><key>4</key><dict></dict></dict></dict></dict></dict>",
  ])
  func `what is not of the form is not read (FZ-7)`(body: String) {
    #expect(PropertyList(document: Array("<plist version=\"1.0\">\(body)</plist>".utf8)) == nil)
  }

  @Test func `entities of a document's own, other bytes behind it and bytes that are no UTF-8 are refused (FZ-7)`() {
    let plist = "<plist version=\"1.0\"><string>a</string></plist>"
    #expect(PropertyList(document: Array(plist.utf8)) == .string("a"))
    #expect(PropertyList(document: Array(("<!DOCTYPE plist [<!ENTITY a \"b\">]>" + plist).utf8)) == nil)
    #expect(PropertyList(document: Array((plist + "x").utf8)) == nil)
    #expect(
      PropertyList(document: Array("<plist version=\"1.0\"><string>".utf8) + [0xD6] + Array("</string></plist>".utf8))
        == nil)
    #expect(PropertyList(document: Array("bplist00".utf8)) == nil)
  }

  @Test func `a document cut or changed at any byte is refused or read, and never ends the process (FZ-7)`() throws {
    let document = Array(try #require(Self.list.document).utf8)
    for end in 0..<(document.count - 1) { #expect(PropertyList(document: Array(document[..<end])) == nil) }
    for place in document.indices {
      for byte: UInt8 in [0, 0x3C, 0x26, 0xFF, document[place] ^ 1] {
        var damaged = document
        damaged[place] = byte
        if let list = PropertyList(document: damaged) { _ = list.document }
      }
    }
  }
}
