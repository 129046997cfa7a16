# SPDX-License-Identifier: Apache-2.0
"""Findings as every check prints them, and the files that checks read."""

import os

LICENCE = "// SPDX-License-Identifier: Apache-2.0"


class Finding(str):
    """A line “file:line: error: sentence”; a warning does not fail the run."""

    @classmethod
    def error(cls, file, line, sentence):
        return cls(f"{file}:{line}: error: {sentence}" if line else f"{file}: error: {sentence}")

    @classmethod
    def warning(cls, file, line, sentence):
        return cls(f"{file}:{line}: warning: {sentence}")

    @property
    def is_warning(self):
        return ": warning: " in self


def lines(file):
    """The lines of a file, without their ends."""
    with open(file, encoding="utf-8") as text:
        return text.read().splitlines()


def files(*roots, ending, beside=()):
    """The files of that ending below the roots, sorted; folders of builds and those named `beside` are left out."""
    found = []
    for root in roots:
        if os.path.isfile(root):
            found.append(root)
        for folder, inner, names in os.walk(root):
            inner[:] = [n for n in inner if not n.startswith(".build") and n != ".git" and n not in beside]
            found += [os.path.normpath(os.path.join(folder, n)) for n in names if n.endswith(ending)]
    return sorted(found)
