// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Exercises

@Suite struct CSVTableTests {
  @Test(arguments: [
    "", "a", "a,b\n", "a,b\r\nc,d", "\u{FEFF}a;b\r\n\"x;\"\"y\";\r\n", "a\tb\n\"two\r\nlines\"\tc\n\n",
    "\"a\" ,b\nc\"d,\"\"\n",
    "名字,\"分数, 总\"\r\n",
  ]) func `what is not changed is written byte for byte as it was read`(_ text: String) throws {
    #expect(try Data(CSVTable(Data(text.utf8)).text.utf8) == Data(text.utf8))
  }

  @Test func `fields are read with quotes, separators and lines in them`() throws {
    let table = try CSVTable(
      Data("\u{FEFF}\"Student\", ID ,x\r\n\"Example, Ada\",7,\"say \"\"a\"\"\r\nb\"\r\nlast".utf8))
    #expect(table.columns == ["Student", "ID", "x"])
    #expect(table.count == 3)
    #expect(table.text(1, 0) == "Example, Ada" && table.text(1, 2) == "say \"a\"\r\nb")
    #expect(table.text(2, 0) == "last" && table.text(2, 1).isEmpty)
  }

  @Test(arguments: [(",", "\"1,5\""), (";", "1,5"), ("\t", "1,5")])
  func `a change is quoted where the table's separator asks for it`(_ separator: String, _ written: String) throws {
    var table = try CSVTable(Data("a\(separator)b\(separator)c\r\n1\(separator)\"2\"\(separator) 3\r\n".utf8))
    table.set(1, 1, to: "1,5")
    table.set(1, 9, to: "no such field")
    #expect(table.text == "a\(separator)b\(separator)c\r\n1\(separator)\(written)\(separator) 3\r\n")
  }

  @Test func `what is no table is named with its line`() {
    #expect(throws: CSVTable.Fault.encoding(line: 2)) { _ = try CSVTable(Data("a\n".utf8 + [0xFF, 0xFE])) }
    #expect(throws: CSVTable.Fault.quote(line: 3)) { _ = try CSVTable(Data("a\n\"b\"\n\"c\nd\n".utf8)) }
  }

  @Test func `a field is quoted where RFC 4180 asks for it, and a name is no formula`() {
    #expect(CSVWords.field("a b") == "a b")
    #expect(CSVWords.field("a,\"b\"") == "\"a,\"\"b\"\"\"")
    #expect(CSVWords.field("a\r\nb") == "\"a\r\nb\"")
    #expect(CSVWords.name("=1+1") == "'=1+1" && CSVWords.name("a=1") == "a=1")
  }
}
