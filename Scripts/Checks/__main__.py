# SPDX-License-Identifier: Apache-2.0
"""What Scripts/check runs; Scripts/check says how."""

import os
import sys
import unittest

import arrows
import design
import folders
import formatting
import ids
import package
import style
import version


def main(words):
    folder = os.path.dirname(os.path.abspath(__file__))
    os.chdir(os.path.dirname(os.path.dirname(folder)))
    if words[:1] == ["modules"]:
        read = package.Package.read()
        print(*sorted({below for module in words[1:] for below in read.below(module)}), sep="\n")
        return 0
    if words[:1] == ["tests-on"]:
        print(*package.Package.read().tests_on(words[1]), sep="\n")
        return 0
    lint = formatting.Formatting()
    suite = unittest.defaultTestLoader.discover(folder, "test_*.py")
    failed = not unittest.TextTestRunner(verbosity=0).run(suite).wasSuccessful()
    read = package.Package.read()
    checks = [
        style.check(), arrows.check(read), folders.check(), ids.check(), design.check(read), version.check()]
    for findings, sentence in checks:
        print(*findings, sep="\n", end="\n" if findings else "", flush=True)
        if any(not finding.is_warning for finding in findings):
            failed = True
        else:
            print(sentence, flush=True)
    if lint.is_clean():
        print(f"format: clean; {len(lint.left)} files were new to it")
    else:
        print("format: run swift format --in-place on the files named above", file=sys.stderr)
        failed = True
    return int(failed)


sys.exit(main(sys.argv[1:]))
