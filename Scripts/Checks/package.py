# SPDX-License-Identifier: Apache-2.0
"""The modules of the package, as its manifest declares them: the one place that lists them."""

import json
import os
import re
import subprocess

FLOOR = re.compile(r"^ *// Floor (\d+)$")
NAME = re.compile(r'(?:name: |module\(\s*)"([A-Za-z0-9]+)"')


class Package:
    """Targets by name, each with `kind`, `path`, `sources` and `needs`, what it declares of ours; the floors of the modules, in
    the manifest’s order."""

    def __init__(self, targets, floors):
        self.targets, self.floors = targets, floors

    @classmethod
    def read(cls, folder="."):
        """Asks the package manager, and the comments “// Floor N” of the manifest."""
        described = subprocess.run(
            ["swift", "package", "describe", "--type", "json"], cwd=folder, check=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=os.environ | {"WORKBENCH_WHOLE": "yes"})
        targets = {t["name"]: {
            "kind": t["type"], "path": t["path"], "sources": t.get("sources", []), "needs": t.get("target_dependencies", []),
        } for t in json.loads(described.stdout)["targets"]}
        with open(f"{folder}/Package.swift", encoding="utf-8") as text:
            return cls(targets, floors(text.read()))

    def below(self, module):
        """The modules that `module` stands on, and itself."""
        found, waiting = [], [module]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.append(name)
                waiting += self.targets[name]["needs"]
        return sorted(found)

    def tests_on(self, module):
        """The test targets that stand on `module`."""
        tests = (name for name, target in self.targets.items() if target["kind"] == "test")
        return sorted(name for name in tests if module in self.below(name))


def floors(manifest):
    """The floor of each module that is declared between “// Floor N” and “// Tests”."""
    found, floor, text = {}, None, ""
    for line in manifest.splitlines() + ["// Tests"]:
        begins = FLOOR.match(line)
        if begins or line.strip() == "// Tests":
            if floor is not None:
                found.update((name, floor) for name in NAME.findall(text))
            floor, text = int(begins[1]) if begins else None, ""
        elif not line.strip().startswith("//"):
            text += line + "\n"
    return found
