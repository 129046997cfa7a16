# SPDX-License-Identifier: Apache-2.0
"""Goes a person's way through `workbench serve` in Chromium: lessons, a lesson, run, live rows, the report, runs, compare,
language, exercise, stop; by keyboard, without script, by a second browser, and with a stream that is lost."""
import json
import pathlib
import re
import signal
import subprocess
import sys

from playwright.sync_api import sync_playwright

import moments
import strip
import zoom
from look import LOOK

chromium, workbench, folder, pictures = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
lessons = pathlib.Path(__file__).resolve().parents[2] / "Lessons"
faults = []


def note(what):
    faults.append(what)


def start():
    server = subprocess.Popen(
        [workbench, "serve", "--language", "en"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return server, server.stdout.readline().strip()


class Way:
    def __init__(self, browser, link, script=True, **options):
        self.origin = re.match(r"http://[^/]+", link).group(0)
        self.context = browser.new_context(java_script_enabled=script, **options)
        self.page = self.context.new_page()
        self.is_offline = False
        self.page.on("console", lambda m: self.is_offline or note(f"console of {self.page.url}: {m.text}"))
        self.page.on("pageerror", lambda e: note(f"error on {self.page.url}: {e}"))
        self.page.on("request", lambda r: r.url.startswith(self.origin) or note(f"asks for {r.url}"))
        self.page.goto(link)

    def go(self, path):
        self.page.goto(self.origin + path)

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def look(self, name, **options):
        for fault in self.page.evaluate(LOOK):
            note(f"{name}: {fault}")
        for unnamed in self.page.evaluate(NAMES):
            note(f"{name}: no name: {unnamed}")
        self.page.screenshot(path=pictures / f"serve-{name}.png", full_page=True, **options)


# What can be pressed, chosen or read has a name that a reader tool says.
NAMES = """() => [...document.querySelectorAll('button, select, input:not([type=hidden]), progress')].filter(e =>
  !(e.textContent.trim() && e.tagName === 'BUTTON') && !e.getAttribute('aria-label') && !(e.labels && e.labels.length))
  .map(e => e.outerHTML.slice(0, 80))"""


def whole_way(browser, link):
    way = Way(browser, link, viewport={"width": 1100, "height": 900})
    page = way.page
    if "token" in page.url:
        note("the token stays in the address")
    page.get_by_role("link", name="Delegate and progress").click()
    page.get_by_label("Size of the body").select_option(label="4 MiB")
    page.get_by_role("radio").first.check()
    way.press("Run")
    page.wait_for_url("**/run")
    page.wait_for_selector("#rows tr:nth-child(2)")
    way.look("live")
    other = Way(browser, link)
    other.go("/run")
    other.page.wait_for_selector("#rows tr:nth-child(2)")
    # The stream is lost and comes back by itself, with what was missed.
    other.is_offline = True
    other.context.set_offline(True)
    other.context.set_offline(False)
    for each in (way, other):
        each.page.wait_for_url("**/runs/*", timeout=90_000)
        each.page.wait_for_selector("svg.drawing")
    if "the run's answer is" not in page.locator(".remark").first.inner_text():
        note("the run says nothing of the student's answer")
    other.context.close()
    # A second run, to compare: one example.
    way.go("/lessons/lesson-05")
    page.get_by_text("Run one example").click()
    page.get_by_label("Size of the body").select_option(label="4 MiB")
    way.press("Run this example: connection/delegate-main")
    page.wait_for_url("**/runs/*", timeout=60_000)
    way.go("/runs")
    way.look("runs")
    way.press("Compare two runs")
    page.wait_for_url("**/compare*")
    return way


def exercise(way):
    page = way.page
    way.go("/exercises")
    page.locator('a[href="/exercises/lesson-04"]').click()
    way.press("Start")
    way.press("Show the next hint")
    if page.get_by_role("heading", name="Hints").count() != 1:
        note("no hint is shown")
    measured(way)
    next(folder.glob("workbench-exercises/lesson-04-*/Exercise.swift")).write_text("this is no Swift\n", encoding="utf-8")
    way.press("Check my program")
    page.wait_for_url("**/exercises/lesson-04", timeout=60_000)
    if "does not compile" not in page.locator(".failing").inner_text():
        note("the check's outcome is not shown")
    # What is saved while the page is open is checked without a button, and the page shows it without being loaded again.
    page.locator("#watch").get_by_text("whenever you save").wait_for()
    page.evaluate("window.isTheSame = true")
    solution = next(lessons.glob("lesson-04*/exercise/Solution.swift"))
    next(folder.glob("workbench-exercises/lesson-04-*/Exercise.swift")).write_text(solution.read_text(encoding="utf-8"))
    page.locator("#outcome .passed").wait_for(timeout=120_000)
    page.locator("#watch").get_by_text("whenever you save").wait_for()
    page.locator("#state").get_by_text("passed").wait_for()
    if "passed" not in page.locator("#state").inner_text() or not page.evaluate("window.isTheSame"):
        note("a save is not shown in the page that is open")
    way.look("exercise-checked")


def measured(way):
    """The handed-out form fails, and the page draws by how much, beside the lesson's good example."""
    page = way.page
    way.press("Check my program")
    page.wait_for_url("**/exercises/lesson-04", timeout=120_000)
    page.locator(".checked.good svg.drawing").wait_for(timeout=10_000)
    for role in ("own", "good"):
        drawing = page.locator(f".checked.{role} svg.drawing")
        if drawing.count() != 1 or "allowed" not in drawing.text_content():
            note(f"the memory that a check measured is not drawn: {role}")
    for width in (400, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        way.look(f"exercise-measured-{width}")
    page.set_viewport_size({"width": 1100, "height": 900})


def all_lessons(way):
    page = way.page
    way.go("/")
    page.get_by_label("Size of the body").select_option(label="64 KiB")
    way.press("Run all lessons")
    page.wait_for_selector("#rows tr:nth-child(3)", timeout=60_000)
    if "all lessons" not in page.locator("h1").inner_text():
        note("the page of all lessons does not say what runs")
    way.look("live-all")
    way.press("Stop")
    page.wait_for_url("**/runs/*", timeout=30_000)


def whole_course(way):
    """How long Chromium takes to open a report of 27 lessons, against one of the three golden runs, which are longer than
    most: what takes nine times as much may take nine times as long."""
    golden = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(lessons.parent.glob("Tests/ReportsTests/Golden/lesson-??.json"))]
    paths = []
    for count in (3, 27):
        run = dict(golden[0], lessons=[
            dict(golden[number % len(golden)]["lessons"][0], id=f"lesson-{number:02}") for number in range(1, count + 1)])
        name = f"20261123T0000{count:02}Z-{count}-lessons-64MiB"
        (folder / "workbench-runs" / f"{name}.json").write_text(json.dumps(run), encoding="utf-8")
        paths.append(f"/runs/{name}")
    pairs = [[opened(way, path) for path in paths] for _ in range(5)]
    (few, _), (many, size) = (min(column) for column in zip(*pairs))
    said = f"the report of 27 lessons has {size / 1e6:.1f} MB, and is open after {many:.2f} s, {many / few:.1f} times that of 3"
    print(f"serve: {said}")
    if size >= 6_000_000 or many >= 9 * few:
        note(said)


def opened(way, path):
    """After how many seconds a page is there, and how many bytes it has."""
    answer = way.page.goto(way.origin + path)
    took = way.page.evaluate(
        "performance.getEntriesByType('navigation').map(n => n.loadEventEnd - n.responseStart)[0]")
    return took / 1000, len(answer.body())


def stop(way):
    page = way.page
    way.go("/lessons/lesson-05")
    way.press("Run")
    page.wait_for_selector("#rows tr")
    page.get_by_role("button", name="Stop").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/*", timeout=30_000)
    if "interrupted" not in page.locator(".remark").first.inner_text():
        note("a stopped run does not say so")


def reach(page, selector):
    """Presses Tab until the element has the focus, then Enter."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            page.keyboard.press("Enter")
            return
    note(f"the Tab key does not reach {selector} on {page.url}")


def by_keyboard(way):
    """Runs an example, compares, takes a hint and has a program checked without the pointer."""
    page = way.page
    way.go("/lessons/lesson-05")
    reached = []
    for _ in range(16):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.textContent.trim()"))
    for wanted in ("A Runs", "BUTTON 中文", "BUTTON Run"):
        if wanted not in reached:
            note(f"the Tab key does not reach {wanted}: {reached}")
    way.go("/lessons/lesson-05")
    page.get_by_label("Size of the body").focus()
    page.keyboard.type("64 K")
    reach(page, "summary")
    reach(page, "button[value='connection/delegate-main']")
    page.wait_for_url("**/runs/*", timeout=60_000)
    way.go("/runs")
    reach(page, "form[action='/compare'] button")
    page.wait_for_url("**/compare*")
    way.go("/exercises/lesson-04")
    hints = page.locator(".order ol li").count()
    reach(page, "form[action='/exercises/hint'] button")
    page.wait_for_load_state()
    page.locator(f".order ol li:nth-child({hints + 1})").wait_for()
    next(folder.glob("workbench-exercises/lesson-04-*/Exercise.swift")).write_text("nor is this\n", encoding="utf-8")
    reach(page, "form[action='/exercises/check'] button")
    page.locator("#outcome .failing").wait_for(timeout=60_000)


def looks(browser, link):
    for width in (400, 1100, 2000):
        for dark in (False, True):
            way = Way(browser, link, viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light")
            for path in ("/", "/lessons/lesson-05", "/exercises/lesson-04", "/runs", "/claims", "/behaviour", "/pitfalls"):
                way.go(path)
                name = path.strip("/").replace("/", "-") or "lessons"
                way.look(f"{name}-{width}-{'dark' if dark else 'light'}")
            way.context.close()
    way = Way(browser, link)
    way.press("中文")
    for path in ("/", "/lessons/lesson-05", "/exercises/lesson-04", "/runs"):
        way.go(path)
        way.look("zh-" + (path.strip("/").replace("/", "-") or "lessons"))
    if "课程" not in way.page.locator("nav").first.inner_text():
        note("the pages are not Chinese")
    way.context.close()


def without_script(browser, link):
    way = Way(browser, link, script=False)
    way.go("/lessons/lesson-05")
    way.page.get_by_label("Size of the body").select_option(label="1 MiB")
    way.page.get_by_text("Run one example").click()
    way.press("Run this example: connection/delegate-main")
    # The page asks again by itself, until the link is there.
    way.page.get_by_role("link", name="See what was measured").click(timeout=60_000)
    if not way.page.locator("svg.drawing").count():
        note("without script there is no report")
    way.context.close()


with sync_playwright() as playwright:
    server, link = start()
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    try:
        way = whole_way(browser, link)
        exercise(way)
        stop(way)
        all_lessons(way)
        whole_course(way)
        moments.check(way.page, note, way.origin, folder)
        zoom.check(way.page, note)
        zoom.check_print(way.page, note)
        strip.check(way.page, note, way.origin, folder)
        way.page.set_viewport_size({"width": 1100, "height": 900})
        by_keyboard(way)
        without_script(browser, link)
        looks(browser, link)
    except Exception as error:  # What was noted until then says more than the trace.
        note(f"the way breaks off: {error}")
        for number, page in enumerate(page for context in browser.contexts for page in context.pages):
            page.screenshot(path=pictures / f"serve-broken-{number}.png")
    finally:
        browser.close()
        server.send_signal(signal.SIGINT)
        if server.wait(timeout=30) != 130:
            note(f"the server ended with {server.returncode}")

for fault in sorted(set(faults)):
    print(f"serve: {fault}")
print(f"serve: the whole way, {len(set(faults))} faults")
sys.exit(1 if faults else 0)
