# SPDX-License-Identifier: Apache-2.0
"""What `workbench serve` may cost: the time until its address is there, its memory after every page was opened in both
languages, runs were watched by eight readers, shown and compared, and the size of a report and the time to make it.

bounds.py WORKBENCH FOLDER [RUNS]: FOLDER is an empty one, in which the server keeps its runs. Times are the best of several, for
a machine may be busy; those of `list` and of the report are processor time, for other checks run beside, and in starts of
WORKBENCH (`--version`), for a machine may be slow: the least of several by that of as many starts, by turns.
Exit status: 0 within the bounds, 1 not."""
import http.client
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import threading
import time

# Resident MiB; seconds until the address is there; starts that `list` takes; bytes of a lesson's report and starts to make it.
MEMORY, START, LIST, REPORT, MAKING = 40, 0.3, 2.7, 300_000, 8
READERS = 8
TRIES = 9

workbench, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
faults = []


class Server:
    def __init__(self):
        began = time.monotonic()
        self.process = subprocess.Popen(
            [workbench, "serve", "--language", "en"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        link = self.process.stdout.readline().strip()
        self.start = time.monotonic() - began
        self.host, path = re.match(r"http://([^/]+)(/.*)", link).groups()
        self.cookie = ""
        self.cookie = self.ask("GET", path).getheader("Set-Cookie").split(";")[0]

    def ask(self, method, path, body=None, language="en", seconds=60):
        connection = http.client.HTTPConnection(self.host, timeout=seconds)
        name = self.cookie.split("=")[0]
        fields = {"Cookie": f"{self.cookie}; {name}-language={language}"} if self.cookie else {}
        if body is not None:
            fields |= {"Origin": f"http://{self.host}", "Content-Type": "application/x-www-form-urlencoded"}
        connection.request(method, path, body, fields)
        return connection.getresponse()

    def page(self, path, language="en"):
        answer = self.ask("GET", path, language=language)
        text = answer.read().decode()
        if answer.status != 200:
            faults.append(f"{path} is answered with {answer.status}")
        return text

    def memory(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        sizes = {name: int(size) / 1024 for name, size in re.findall(r"(VmHWM|VmRSS|RssAnon|RssFile|RssShmem):\s+(\d+) kB", text)}
        return sizes

    def say(self, when):
        sizes = self.memory()
        print(f"{when:34} {sizes['VmRSS']:5.1f} MiB, of them {sizes['RssAnon']:5.1f} of its own, {sizes['RssFile']:5.1f} of files; "
              f"{sizes['VmHWM']:5.1f} at most")
        return sizes

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)


def watch(server, number):
    answer = server.ask("GET", f"/run/events?from={number}.0", seconds=180)
    while answer.read(4096):
        pass


def run(server, number, order):
    answer = server.ask("POST", "/run", order)
    if answer.status != 303:
        faults.append(f"a run is answered with {answer.status}")
    server.page("/run")
    readers = [threading.Thread(target=watch, args=(server, number)) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()


def every_page(server, lessons, exercises, features):
    for language in ("en", "zh-Hans"):
        for path in ["/", "/claims", "/runs", "/exercises", "/behaviour", "/pitfalls", "/run"]:
            server.page(path, language)
        for lesson in lessons:
            server.page(f"/lessons/{lesson}", language)
        for exercise in exercises:
            server.page(f"/exercises/{exercise}", language)
        for feature in features:
            server.page(f"/behaviour?feature={feature}", language)
        server.page("/behaviour?feature=", language)


def within(what, value, bound, unit):
    print(f"bounds: {what} {value:.4g} {unit}, at most {bound} {unit}")
    if value >= bound:
        faults.append(f"{what} {value:.4g} {unit}, and {bound} {unit} are the bound")


def making(server, path):
    """The processor time that the server needs for a page."""
    def used():
        fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    before = used()
    server.page(path)
    return used() - before


def takes(what, measured, bound):
    """Holds a thing to a number of starts of the program's own. A busy machine slows one of the two for longer than a series
    lasts: a series that is within the bound ends it, three that are not fail."""
    for _ in range(3):
        pairs = [(once((workbench, "--version")), measured()) for _ in range(TRIES)]
        start, value = (min(column) for column in zip(*pairs))
        print(f"bounds: a start takes {start:.3g} s, what follows {value:.3g} s")
        if value < bound * start:
            break
    within(what, value / start, bound, "starts")


def once(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def starting():
    server = Server()
    server.end()
    return server.start


def main():
    takes("list takes", lambda: once((workbench, "list")), LIST)
    within("the address is there after", min(starting() for _ in range(TRIES)), START, "s")
    server = Server()
    try:
        server.say("started")
        first = server.page("/")
        lessons = sorted(set(re.findall(r"/lessons/(lesson-\d\d)", first)))
        exercises = sorted(set(re.findall(r"/exercises/(lesson-\d\d)", server.page("/exercises"))))
        features = re.findall(r"feature=([^\"&]+)\"", server.page("/behaviour"))
        every_page(server, lessons, exercises, features)
        server.say(f"{len(lessons)} lessons, {len(exercises)} exercises, both languages")
        for number in range(1, runs + 1):
            run(server, number, "lesson=lesson-05&size=1048576" + ("" if number == 1 else "&example=session/data-delegate"))
            server.say(f"run {number} watched by {READERS}")
        kept = re.findall(r'href="/runs/([^"]+)"', server.page("/runs"))
        for entry in kept:
            server.page(f"/runs/{entry}")
            server.page(f"/runs/{entry}", "zh-Hans")
        if len(kept) > 1:
            server.page(f"/compare?before={kept[0]}&after={kept[-1]}")
        every_page(server, lessons, exercises, features)
        sizes = server.say(f"every page again, {len(kept)} runs shown")
        whole = next((entry for entry in kept if "part" not in entry), None)
        if whole:
            within("the report of a lesson has", len(server.page(f"/runs/{whole}").encode()), REPORT, "bytes")
            takes("making it takes", lambda: making(server, f"/runs/{whole}"), MAKING)
        elif runs:
            faults.append("no run is kept")
        within("the server needs", sizes["VmRSS"], MEMORY, "MiB")
    finally:
        server.end()


main()
for fault in faults:
    print(f"bounds: too much: {fault}")
sys.exit(1 if faults else 0)
