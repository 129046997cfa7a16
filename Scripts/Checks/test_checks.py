# SPDX-License-Identifier: Apache-2.0
"""Each check finds its faults in files of the test's own, and lets pass what looks like one."""

import os
import tempfile
import unittest

import arrows
import design
import folders
import formatting
import ids
import style
import version
from findings import LICENCE
from package import Package, floors


class InAFolder(unittest.TestCase):
    """Works in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def write(self, file, *lines):
        os.makedirs(os.path.dirname(file) or ".", exist_ok=True)
        with open(file, "w", encoding="utf-8") as text:
            text.write("".join(line + "\n" for line in lines))


class Style(InAFolder):
    def test_long_functions_and_files_missing_licences_and_banned_words_are_found(self):
        self.write(
            "Sources/A/Long.swift", LICENCE, "struct Long {", "  func `a } b`(_ x: () -> Void = { }) {",
            '    let text = "}} \\(1) {"', "    // }", '    /* } */ let other = """', "  }", '  """',
            *['    run { print("x") }'] * 55, "  }", "  var short: Int { 1 }", "}")
        self.write(
            "Sources/A/Sixty.swift", LICENCE, "protocol P { func a() ; init(x: Int) ; }", "func sixty() {",
            *["  self.init(x: 1)"] * 58, "}", "// try! fatalError( are only named here")
        self.write(
            "Sources/A/Bad.swift", "let a = try! b()", 'func c() { fatalError("") }', "// TODO later", "// TODO(#7) later")
        self.write("Sources/A/Big.swift", LICENCE, *[""] * 500)
        found, _ = style.check()
        self.assertEqual([finding.split(", ")[0] for finding in found], [
            f"Sources/A/Bad.swift:1: error: the first line is not {LICENCE}",
            "Sources/A/Bad.swift:1: error: try! ends the process on what a server",
            "Sources/A/Bad.swift:2: error: fatalError ends the process on what a server",
            "Sources/A/Bad.swift:3: error: a TODO carries the number of its issue",
            "Sources/A/Big.swift:501: error: the file has 501 lines",
            "Sources/A/Long.swift:3: error: the function has 62 lines",
            "Sources/A/Sixty.swift:3: warning: the function has 60 lines",
        ])


class Arrows(InAFolder):
    def test_imports_that_are_not_declared_and_arrows_that_do_not_point_down_are_found(self):
        self.write("S/L.swift", "// import Timeline", "import Foundation", 'let long = """', "import Timeline", '"""')
        self.write(
            "S/T.swift", "import Locking", "public import Timeline", "@_exported import Locking",
            "import struct Locking.X", "@preconcurrency internal import class Timeline.Y // why")
        self.write("S/Tests.swift", "@testable import Transport", "@_spi(Testing) @testable import Locking")

        def target(source, *needs):
            return {"kind": "library", "path": "S", "sources": [source], "needs": list(needs)}

        package = Package({
            "Locking": target("L.swift"), "Timeline": target("None.c", "Locking", "Transport"),
            "Transport": target("T.swift"), "TransportTests": target("Tests.swift", "Transport"),
        }, {"Locking": 0, "Timeline": 1, "Transport": 1})
        apart = Package(
            {"SessionAPI": target("None.c", "ConnectionAPI"), "ConnectionAPI": target("None.c")},
            {"ConnectionAPI": 4, "SessionAPI": 4})
        self.assertEqual(
            arrows.check(apart)[0], ["Package.swift: error: SessionAPI declares ConnectionAPI; neither knows the other"])
        self.assertEqual(arrows.check(package)[0], [
            "Package.swift: error: Timeline declares Transport, which does not lie below it",
            "S/T.swift:1: error: Transport imports Locking, which its target does not declare",
            "S/T.swift:2: error: Transport imports Timeline, which its target does not declare",
            "S/T.swift:3: error: Transport imports Locking, which its target does not declare",
            "S/T.swift:4: error: Transport imports Locking, which its target does not declare",
            "S/T.swift:5: error: Transport imports Timeline, which its target does not declare",
            "S/Tests.swift:2: error: TransportTests imports Locking, which its target does not declare",
        ])

    def test_a_module_stands_on_what_its_needs_stand_on(self):
        needs = {"C": ["B"], "B": ["A"], "A": [], "D": []}
        package = Package({name: {"needs": below} for name, below in needs.items()}, {})
        self.assertEqual(package.below("C"), ["A", "B", "C"])
        tests = {name: {"kind": "test", "needs": [name[0]]} for name in ["ATests", "CTests", "DTests"]}
        package = Package(package.targets | tests, {})
        for target in needs:
            package.targets[target]["kind"] = "library"
        self.assertEqual(package.tests_on("A"), ["ATests", "CTests"])


class Design(InAFolder):
    def test_a_drawing_that_is_not_the_code_is_found(self):
        manifest = "\n".join([
            "    // Floor 0", '    .systemLibrary(name: "C"),', '    module("L"),', "    // Floor 1", "    module(",
            '      "M", of: ["L"]),', "    // Tests", '    tests("MTests"),'])
        self.write(
            "Sources/DESIGN.md", "## The floors", "│ 1 │ M, N  │ upper │", "│ 0 │ L  │ lower │",
            "## The life of a request", "| 1 | `T.begin(_:)` | `A/T.swift` | I/O | begins |",
            "| 2 | `T.end()` | `A/T.swift` | I/O | ends |", "| 3 | `U.go()` | `A/U.swift` | I/O | goes |")
        self.write("Sources/A/T.swift", "extension T {", "  func begin(_ x: Int) {}", "  func ended() {}", "}")
        self.assertEqual(floors(manifest), {"C": 0, "L": 0, "M": 1})
        self.assertEqual(design.check(Package({}, floors(manifest)))[0], [
            "Sources/DESIGN.md: error: C on floor 0 is declared, not drawn",
            "Sources/DESIGN.md: error: N on floor 1 is drawn, not declared",
            "Sources/DESIGN.md: error: Sources/A/T.swift has no function T.end",
            "Sources/DESIGN.md: error: there is no file Sources/A/U.swift",
        ])


class Folders(InAFolder):
    def test_folders_that_know_each_other_are_found(self):
        self.write("M/A/X.swift", "struct X { var y: Y? }")
        self.write("M/B/Y.swift", "public final class Y {", "  var z: Z // X", "}")
        self.write("M/C/Z.swift", "enum Z {}")
        self.assertEqual(list(folders.circles("M")), [])
        self.write("M/C/Z.swift", 'enum Z { case x(X), text = "Y" }')
        self.assertEqual(list(folders.circles("M")), [
            "M/A/X.swift: error: its folder knows Y of M/B, which knows its folder",
            "M/B/Y.swift: error: its folder knows Z of M/C, which knows its folder",
            "M/C/Z.swift: error: its folder knows X of M/A, which knows its folder",
        ])


class Ids(InAFolder):
    def test_ids_without_a_line_or_with_two_are_found(self):
        self.write("README.md")
        self.write("CHANGELOG.md")
        self.write(
            "Tests/BEHAVIOURS.md", "| id | behaviour |", "| --- | --- |", "| H1-01 | It ends. |", "| A.7 | It asks. |",
            "| E3 | Silence. |", "| CE-01 | Once. |", "| CE-01 | Twice. |", "| faults 4.2 | The code. |")
        self.write("Lessons/claims.yml", "  - id: N1-01", "    says: A claim.")
        self.write(
            "Sources/A/A.swift",
            '// H1-01, A.7 and E3 hold (faults 4.2); appendix B.4, UTF-8 and "\\u{E9}%E8" are no ids. N1-01, too.',
            "func `two without a line (A.8, H1-02)`() {}", "// N1-02 (D35)")
        self.assertEqual(ids.check()[0], [
            "Tests/BEHAVIOURS.md:7: error: CE-01 has 2 lines, one is enough",
            "Sources/A/A.swift:2: error: A.8 has no line in Tests/BEHAVIOURS.md",
            "Sources/A/A.swift:2: error: H1-02 has no line in Tests/BEHAVIOURS.md",
            "Sources/A/A.swift:3: error: N1-02 has no line in Tests/BEHAVIOURS.md",
            "Sources/A/A.swift:3: error: D35 has no line in Tests/BEHAVIOURS.md",
        ])


class Formatting(InAFolder):
    def test_a_clean_file_is_looked_at_once_and_again_when_it_or_the_rules_change(self):
        self.write(".swift-format", "{}")
        self.write("A.swift", LICENCE)
        self.write("B.swift", "// B")

        def run(status=0):
            found = formatting.Formatting(("sh", "-c", f"exit {status}"))
            return found.left, found.is_clean()

        self.assertEqual(run(1), (["A.swift", "B.swift"], False))
        self.assertEqual(run(), (["A.swift", "B.swift"], True))
        self.assertEqual(run(1), ([], True))
        self.write("B.swift", "// C")
        self.assertEqual(run(), (["B.swift"], True))
        self.write(".swift-format", "{ }")
        self.assertEqual(run(), (["A.swift", "B.swift"], True))


class Version(InAFolder):
    def test_places_with_another_version_are_found(self):
        self.write("CHANGELOG.md", "## Unreleased", "## 1.2.0 - 2026-01-01", "## 1.1.0 - 2025-01-01")
        for place in version.PLACES[:2]:
            self.write(place, 'let version = "1.2.0"')
        self.write(version.PLACES[2], 'output == "1.1.0\\n"')
        self.assertEqual(version.check()[0], [
            f"{version.PLACES[2]}: error: its version is not 1.2.0, the newest with a date in CHANGELOG.md"])


if __name__ == "__main__":
    unittest.main()
