# SPDX-License-Identifier: Apache-2.0
"""One version: the command prints, requests carry and a test expects the newest with a date in CHANGELOG.md."""

import re

from findings import Finding, lines

PLACES = [
    "Sources/workbench/Version.swift", "Sources/URLLoading/Rules/StandingFields.swift",
    "Tests/WorkbenchTests/CommandLineTests.swift",
]


def check():
    dated = (re.match(r"## ([0-9.]+) - \d+-\d+-\d+$", line) for line in lines("CHANGELOG.md"))
    newest = next((match[1] for match in dated if match), None)
    said = re.compile(rf'(ersion =|let text =|output ==) "{re.escape(newest or "one")}(\\n)?"')
    found = [
        Finding.error(place, 0, f"its version is not {newest}, the newest with a date in CHANGELOG.md")
        for place in PLACES if not said.search("\n".join(lines(place)))
    ]
    return found, f"version: {newest} in {len(PLACES)} places"
