# SPDX-License-Identifier: Apache-2.0
"""A floor never imports upward.

Modules declare those alone that the manifest declares before them, floor by floor; and every target imports what it declares alone: the package manager lets the
rest pass once another target has built the module."""

import re

from findings import Finding, lines

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s*)*(?:(?:public|package|internal|fileprivate|private|open)\s+)?import\s+"
    r"(?:(?:typealias|struct|class|enum|protocol|let|var|func|actor|macro)\s+)?(\w+)")


# Both lie on one transport, and neither knows the other.
APART = {"ConnectionAPI", "SessionAPI"}


def check(package, folder="."):
    found, count, order = [], 0, list(package.floors)
    for name, target in package.targets.items():
        for need in target["needs"]:
            if {name, need} == APART:
                found.append(Finding.error("Package.swift", 0, f"{name} declares {need}; neither knows the other"))
            if name in order and need not in order[:order.index(name)]:
                found.append(Finding.error("Package.swift", 0, f"{name} declares {need}, which does not lie below it"))
        for source in target["sources"]:
            if source.endswith(".swift"):
                count += 1
                found += imports(f"{target['path']}/{source}", name, package, folder)
    return found, f"arrows: {count} files, all imports are declared and point down"


def imports(file, name, package, folder):
    """The imports of a file that its target does not declare. Source in a string over several lines imports nothing."""
    quoted = False
    for number, line in enumerate(lines(f"{folder}/{file}"), 1):
        if line.count('"""') % 2:
            quoted = not quoted
        match = None if quoted else IMPORT.match(line)
        module = match and match[1]
        if module in package.targets and module != name and module not in package.targets[name]["needs"]:
            yield Finding.error(file, number, f"{name} imports {module}, which its target does not declare")
