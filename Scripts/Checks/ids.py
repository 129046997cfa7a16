# SPDX-License-Identifier: Apache-2.0
"""Every id in the tree has its line.

Names of tests, comments and claims carry ids such as H1-17, A.7 or N3-23. Tests/BEHAVIOURS.md says in one line each what
holds; the claims' own sentences stand in Lessons/claims.yml."""

import re

from findings import Finding, files, lines

INDEX, CLAIMS = "Tests/BEHAVIOURS.md", "Lessons/claims.yml"
# What only looks like an id: escapes (\\u{E9}, %E8), the appendices of RFCs.
NONE = re.compile(r"\\u\{[0-9A-Fa-f]+\}|%[0-9A-Fa-f]{2}|[Aa]ppendix [A-Z]\.[0-9]+")
WORD = re.compile(
    r"(?<![A-Za-z0-9_.%\\-])(faults [0-9]\.[0-9]+|[A-Z]+[0-9]*-[0-9]+|[ABL]\.[0-9]+|[DELU][0-9]+)[a-z]?"
    r"(?![A-Za-z0-9_(]|-[0-9A-Za-z])")
NOTE = re.compile(r"(N[1-5]|P[12][0-9])-")
FAMILY = re.compile(r"(AU|CA|CE|CK|DL|FZ|H1|H2|LC|NF|RD|RN|RS|TL|WB)-")


def is_known(name):
    """Ids with a hyphen are those of the families; UTF-8, SHA-256 and the like are not."""
    if "-" not in name:
        return not re.match(r"[DELU][0-9]{3}", name)
    return bool(re.search(r"-[0-9]{2}$", name) if NOTE.match(name) else FAMILY.match(name))


def check():
    places, found, used = {}, [], {}
    definitions = [(INDEX, re.compile(r"\| ([^|-][^|]*?) \| [^|]+ \|$")), (CLAIMS, re.compile(r" *- id: ([NP][0-9]+-[0-9]{2})$"))]
    for file, pattern in definitions:
        for number, line in enumerate(lines(file), 1):
            match = pattern.match(line)
            if match and match[1] != "id":
                places.setdefault(match[1], []).append(number)
    for name, numbers in places.items():
        if len(numbers) > 1:
            found.append(Finding.error(INDEX, numbers[-1], f"{name} has {len(numbers)} lines, one is enough"))
    roots = ["Sources", "Tests", "Lessons", "Scripts", "README.md", "README.zh-Hans.md", "CHANGELOG.md"]
    for file in files(*roots, ending=(".swift", ".md"), beside=("Corpus", "Golden")):
        if file == INDEX:
            continue
        for number, line in enumerate(lines(file), 1):
            for match in WORD.finditer(NONE.sub(" ", line)):
                if is_known(match[0]):
                    used.setdefault(match[0], (file, number))
    for name, (file, number) in used.items():
        if name not in places:
            found.append(Finding.error(file, number, f"{name} has no line in {INDEX}"))
    return found, f"ids: {len(used)} in the tree, each has its line"
