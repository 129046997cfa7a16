# SPDX-License-Identifier: Apache-2.0
"""The folders of a module that stand in floors know each other in one direction: no circle of types."""

import os
import re

from findings import Finding, files, lines

LAYERED = ["Sources/LessonKit"]
DECLARED = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?:public |package |open |final |indirect )*(?:struct|class|enum|protocol|actor) (\w+)")
USED = re.compile(r"\b[A-Z]\w*")


def check():
    found = [finding for module in LAYERED for finding in circles(module)]
    return found, f"folders: no circle within {', '.join(LAYERED)}"


def circles(module):
    texts = {file: lines(file) for file in files(module, ending=".swift")}
    owners = {match[1]: file for file, text in texts.items() for match in map(DECLARED.match, text) if match}
    edges = {}
    for file, text in texts.items():
        for line in text:
            for word in USED.findall(re.sub(r'//.*|"(?:[^"\\]|\\.)*"', "", line)):
                here, there = os.path.dirname(file), os.path.dirname(owners.get(word, file))
                if here != there:
                    edges.setdefault(here, {}).setdefault(there, (file, word))
    for here in sorted(edges):
        for there, (file, word) in sorted(edges[here].items()):
            if here in reached(there, edges):
                yield Finding.error(file, 0, f"its folder knows {word} of {there}, which knows its folder")


def reached(folder, edges):
    seen, waiting = set(), [folder]
    while waiting:
        for following in edges.get(waiting.pop(), {}):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return seen
