# SPDX-License-Identifier: Apache-2.0
"""The formatter finds nothing to change. A file that was found clean is not looked at again until it, the rules or the
formatter change: its digest stands in .build-checks."""

import hashlib
import os
import subprocess

from findings import files

KNOWN = ".build-checks/formatted"
RULES = ".swift-format"


class Formatting:
    """A run of the formatter beside the other checks, which take one core of two."""

    def __init__(self, command=("swift", "format", "lint", "--strict", "--parallel")):
        self.digests = {file: digest(file) for file in files(".", ending=".swift")}
        version = subprocess.run([*command[:2], "--version"], capture_output=True, check=False).stdout
        self.rules = digest(RULES) + hashlib.sha256(version).hexdigest()
        known = read(KNOWN)
        self.known = set(known[1:]) if known[:1] == [self.rules] else set()
        self.left = [file for file, value in self.digests.items() if value not in self.known]
        self.process = subprocess.Popen([*command, *self.left]) if self.left else None

    def is_clean(self):
        """Waits for the formatter. Where all is clean, that is remembered."""
        if self.process and self.process.wait():
            return False
        os.makedirs(os.path.dirname(KNOWN), exist_ok=True)
        with open(f"{KNOWN}.{os.getpid()}", "w", encoding="utf-8") as text:
            text.write("\n".join([self.rules, *sorted(set(self.digests.values()))]))
        os.replace(f"{KNOWN}.{os.getpid()}", KNOWN)
        return True


def digest(file):
    with open(file, "rb") as content:
        return hashlib.sha256(content.read()).hexdigest()


def read(file):
    try:
        with open(file, encoding="utf-8") as text:
            return text.read().split("\n")
    except FileNotFoundError:
        return []
