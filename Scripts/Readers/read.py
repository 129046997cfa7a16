# SPDX-License-Identifier: Apache-2.0
"""Reads pictures.har by haralyzer and pictures.junit.xml by junitparser, and looks whether they see what is in there;
so with a report of `grade` and one of Scripts/grader/merge; test cases also by the rules of the schema that Jenkins' xUnit
plugin holds reports against (junit-10.xsd of that plugin)."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import haralyzer
import junitparser

root = pathlib.Path(sys.argv[1])
folder, grades = root / "Tests/ReportsTests/Golden", root / "Tests/ExercisesTests/Golden"

har = json.loads((folder / "pictures.har").read_text(encoding="utf-8"))
parser = haralyzer.HarParser(har)
entries = sum(len(page.entries) for page in parser.pages)
assert entries == len(har["log"]["entries"]) > 0, "an entry has no page"
for page in parser.pages:
    for entry in page.entries:
        assert entry.startTime is not None and entry.time >= 0, "an entry has no time"
        assert entry.request.method and entry.request.url.startswith("http"), "an entry has no request"
        assert entry.response.status >= 0, "an entry has no response"



def cases(path):
    """The suites of a report, of which each counts what it holds, and the kinds of the results in them."""
    suites = list(junitparser.JUnitXml.fromfile(str(path)))
    for suite in suites:
        inside = [result for case in suite for result in case.result]
        assert suite.tests == len(list(suite)), "a suite counts other cases than it has"
        assert suite.failures == sum(isinstance(result, junitparser.Failure) for result in inside)
        assert suite.errors == sum(isinstance(result, junitparser.Error) for result in inside)
    return suites, [type(result) for suite in suites for case in suite for result in case.result]


suites, results = cases(folder / "pictures.junit.xml")
names = [case.name for suite in suites for case in suite]
assert len(set(names)) == len(names) > 0, "two cases have one name"
for suite in suites:
    circumstances = [each.value for each in suite.properties() if each.name == "circumstances"]
    assert len(circumstances) == 1 and "· workbench " in circumstances[0], "a suite does not say where it was measured"
assert junitparser.Failure in results and junitparser.Skipped in results, "a failure or a skipped case is lost"
# What that schema allows: attributes that must stand, attributes that may, and children, by element.
OUTCOME = (set(), {"type", "message"}, set())
RULES = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"}),
    "testcase": (
        {"name"}, {"time", "classname", "group"},
        {"skipped", "error", "failure", "rerunFailure", "rerunError", "flakyFailure", "flakyError",
         "system-out", "system-err"}),
    "properties": (set(), set(), {"property"}), "property": ({"name", "value"}, set(), set()),
    "failure": OUTCOME, "error": OUTCOME, "skipped": OUTCOME,
}


def faults(element):
    """Where an element and all below it differ from the rules."""
    must, may, children = RULES.get(element.tag, (set(), set(), set()))
    if element.tag not in RULES:
        yield f"{element.tag} is unknown"
    yield from (f"{element.tag} lacks {name}" for name in must - set(element.attrib))
    yield from (f"{element.tag} has {name}" for name in set(element.attrib) - must - may)
    yield from (f"{child.tag} stands in {element.tag}" for child in element if child.tag not in children)
    if element.tag.startswith("testsuite") and not re.fullmatch(r"[0-9,]*(\.[0-9]*)?", element.get("time", "")):
        yield f"a time is {element.get('time')}"
    if children and element.text and element.text.strip():
        yield f"{element.tag} has text"
    for child in element:
        yield from faults(child)


def graded(path, suites_wanted):
    """Reads a report on exercises, with one case that fails in it."""
    suites, results = cases(path)
    assert [suite.name for suite in suites] == suites_wanted, [suite.name for suite in suites]
    assert junitparser.Failure in results, "a failure is lost"
    return path


reports = [folder / "pictures.junit.xml", graded(grades / "grade.junit.xml", ["lesson-04", "lesson-09"])]
with tempfile.TemporaryDirectory() as scratch:
    merged = pathlib.Path(scratch, "grades.xml")
    pathlib.Path(scratch, "results").mkdir()
    for student in ("one", "two"):
        shutil.copy(grades / "grade.json", pathlib.Path(scratch, "results", student + ".json"))
    subprocess.run([sys.executable, root / "Scripts/grader/merge", scratch], check=True, stdout=subprocess.DEVNULL)
    wanted = [f"{student}/{lesson}" for student in ("one", "two") for lesson in ("lesson-04", "lesson-09")]
    reports.append(graded(merged, wanted))
    for report in reports:
        found = list(faults(xml.etree.ElementTree.parse(report).getroot()))
        assert not found, found
broken = xml.etree.ElementTree.fromstring("<testsuite name='a' time='1e-3'><testcase file='b'/></testsuite>")
assert len(list(faults(broken))) == 6, list(faults(broken))
print(f"{entries} requests and {len(names)} cases read, and {len(reports) - 1} reports on exercises")
