# SPDX-License-Identifier: Apache-2.0
"""Sources/DESIGN.md draws and names what the code has: the modules on their floors, and the calls of a request's life."""

import os
import re

from findings import Finding, lines

PAGE = "Sources/DESIGN.md"


def section(title):
    """The lines of the page below that heading."""
    inside = False
    for line in lines(PAGE):
        if line.startswith("## "):
            inside = line == f"## {title}"
        elif inside:
            yield line


def check(package):
    found = []
    drawn = set()
    for line in section("The floors"):
        cells = [cell.strip() for cell in line.split("│")]
        if len(cells) > 3 and cells[1].isdigit():
            drawn |= {(int(cells[1]), name.strip()) for name in cells[2].split(",")}
    declared = {(floor, name) for name, floor in package.floors.items()}
    for floor, name in sorted(declared ^ drawn):
        only = "declared, not drawn" if (floor, name) in declared else "drawn, not declared"
        found.append(Finding.error(PAGE, 0, f"{name} on floor {floor} is {only}"))
    calls = [re.split(r" *\| *", line.replace("`", ""))[2:4] for line in section("The life of a request")
             if re.match(r"\| \d+ \|", line)]
    if not 1 <= len(calls) <= 20:
        found.append(Finding.error(PAGE, 0, f"the life of a request names {len(calls)} calls; one to 20 are wanted"))
    for call, file in calls:
        found += absent(call, f"Sources/{file}")
    return found, f"design: {len(declared)} modules on their floors, {len(calls)} calls found"


def absent(call, file):
    """What is wrong with a call such as `Load.begin(_:)` that the page says is a function in that file."""
    kind, name = re.match(r"(\w+)\.(\w+)", call).groups()
    if not os.path.isfile(file):
        return [Finding.error(PAGE, 0, f"there is no file {file}")]
    text = "\n".join(lines(file))
    if re.search(rf"(extension|class|struct|actor|enum) {kind}\b", text) and re.search(rf"func {name}[(<]", text):
        return []
    return [Finding.error(PAGE, 0, f"{file} has no function {kind}.{name}")]
