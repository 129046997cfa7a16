# SPDX-License-Identifier: Apache-2.0
"""What Swift files hold: length, length of functions, licence, no `try!`, no `fatalError`, no TODO without its issue.

It knows just enough of the language to follow braces: strings, comments and quoted identifiers are taken out first. A
function counts from the line of its keyword to the line of its closing brace."""

import re

from findings import LICENCE, Finding, files, lines

MOST_LINES, MANY_LINES, LONGEST, LONG = 500, 300, 60, 40
TODO = re.compile(r"(TODO|FIXME)(?![^A-Za-z]*#[0-9]+)")
FUNCTION = re.compile(r"(^|[^A-Za-z0-9_.])(func |init[?!]?[<(]|deinit|subscript[<(])|(^|[ \t])var [^=]*\{")
TAKEN_OUT = [
    (re.compile(r"`[^`]*`"), "name"), (re.compile(r'#+"[^"]*"#+'), "text"), (re.compile(r'"([^"\\]|\\.)*"'), "text"),
    (re.compile(r"//.*"), ""), (re.compile(r"/\*([^*]|\*[^/])*\*/"), ""),
]
BANNED = {
    "try!": re.compile(r"try!"), "fatalError": re.compile(r"fatalError *\("),
}


def check():
    found, count, functions = [], 0, 0
    for file in files(".", ending=".swift"):
        count += 1
        judge = Judge(file)
        judge.read(lines(file))
        found += judge.found
        functions += judge.functions
    warnings = sum(finding.is_warning for finding in found)
    return found, f"style: {count} files, {functions} functions, {warnings} warnings"


class Judge:
    """Reads one file."""

    def __init__(self, file):
        self.file, self.found, self.functions = file, [], 0
        self.in_comment = self.in_string = False
        self.braces = self.parens = 0
        self.pending = None  # (line, parens): a declaration that waits for the brace outside of its parameters
        self.open = []  # (line, braces) of each function that is open

    def error(self, number, sentence):
        self.found.append(Finding.error(self.file, number, sentence))

    def read(self, text):
        if LICENCE not in text[:2] or (text[0] != LICENCE and not self.file.endswith("Package.swift")):
            self.error(1, f"the first line is not {LICENCE}")
        for number, line in enumerate(text, 1):
            if not self.file.endswith("/exercise/Exercise.swift") and TODO.search(line):
                self.error(number, "a TODO carries the number of its issue, TODO(#12), or is deleted")
            code = self.code(line)
            if self.file.startswith("Sources/"):
                for name, pattern in BANNED.items():
                    if pattern.search(code):
                        self.error(number, f"{name} ends the process on what a server, a file or a user can cause: throw")
            self.follow(code, number)
        if len(text) > MOST_LINES:
            self.error(len(text), f"the file has {len(text)} lines, at most {MOST_LINES} are allowed: split it by side")
        elif len(text) > MANY_LINES:
            self.found.append(Finding.warning(
                self.file, len(text), f"the file has {len(text)} lines, above {MANY_LINES} split it by side"))

    def code(self, line):
        """The line without comments, strings and quoted identifiers."""
        for mark, name in (('"""', "in_string"), ("*/", "in_comment")):
            if getattr(self, name):
                if mark not in line:
                    return ""
                line = line.split(mark, 1)[1]
                setattr(self, name, False)
        line = TAKEN_OUT[0][0].sub(TAKEN_OUT[0][1], line)
        if '"""' in line:
            before, after = line.split('"""', 1)
            self.in_string = '"""' not in after
            line = before if self.in_string else before + after.split('"""', 1)[1]
        for pattern, instead in TAKEN_OUT[1:]:
            line = pattern.sub(instead, line)
        if "/*" in line:
            line, self.in_comment = line.split("/*", 1)[0], True
        return line

    def follow(self, code, number):
        if FUNCTION.search(code):
            self.pending = (number, self.parens)
        for sign in re.sub(r"[^{}()]", "", code):
            if sign in "()":
                self.parens += 1 if sign == "(" else -1
            elif sign == "{":
                self.braces += 1
                if self.pending and self.pending[1] == self.parens:
                    self.open.append((self.pending[0], self.braces))
                    self.pending = None
            else:
                if self.open and self.open[-1][1] == self.braces:
                    self.close(self.open.pop()[0], number)
                self.braces -= 1
                if self.pending and self.pending[1] == self.parens:
                    self.pending = None

    def close(self, first, last):
        self.functions += 1
        length = last - first + 1
        if length > LONGEST:
            self.error(first, f"the function has {length} lines, at most {LONGEST} are allowed")
        elif length > LONG:
            self.found.append(Finding.warning(
                self.file, first, f"the function has {length} lines, above {LONG} split it"))
