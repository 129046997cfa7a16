# SPDX-License-Identifier: Apache-2.0
"""Reads pictures.har by haralyzer and pictures.junit.xml by junitparser, and looks whether they see what is in there;
test cases also by the rules of the schema that Jenkins' xUnit plugin holds reports against (junit-10.xsd of that plugin)."""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

import haralyzer
import junitparser

folder = pathlib.Path(sys.argv[1])

har = json.loads((folder / "pictures.har").read_text(encoding="utf-8"))
parser = haralyzer.HarParser(har)
entries = sum(len(page.entries) for page in parser.pages)
assert entries == len(har["log"]["entries"]) > 0, "an entry has no page"
for page in parser.pages:
    for entry in page.entries:
        assert entry.startTime is not None and entry.time >= 0, "an entry has no time"
        assert entry.request.method and entry.request.url.startswith("http"), "an entry has no request"
        assert entry.response.status >= 0, "an entry has no response"

suites = junitparser.JUnitXml.fromfile(str(folder / "pictures.junit.xml"))
names = [case.name for suite in suites for case in suite]
results = [type(result) for suite in suites for case in suite for result in case.result]
assert len(set(names)) == len(names) > 0, "two cases have one name"
for suite in suites:
    cases = list(suite)
    assert suite.tests == len(cases), "a suite counts other cases than it has"
    assert suite.failures == sum(isinstance(r, junitparser.Failure) for c in cases for r in c.result)
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


root = xml.etree.ElementTree.parse(folder / "pictures.junit.xml").getroot()
assert not list(faults(root)), list(faults(root))
broken = xml.etree.ElementTree.fromstring("<testsuite name='a' time='1e-3'><testcase file='b'/></testsuite>")
assert len(list(faults(broken))) == 6, list(faults(broken))
print(f"{entries} requests and {len(names)} cases read")
