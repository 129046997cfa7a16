# SPDX-License-Identifier: Apache-2.0
"""Looks at pages in Chromium as a person does: by eye (screenshots), by pointer, by keyboard, without script."""
import pathlib
import sys

from playwright.sync_api import sync_playwright

faults = []

# Names of what can be reached, labels of drawings, one h1, and contrast of text against what is painted behind it.
LOOK = """() => {
  const found = [];
  const rgb = text => { const n = text.match(/[0-9.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const light = c => { const [r, g, b] = c.map(v => { v /= 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = element => { for (let e = element; e; e = e.parentElement) {
    const c = rgb(getComputedStyle(e).backgroundColor); if (c[3] === 1) return c; } return [255, 255, 255, 1]; };
  const seen = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.getClientRects().length || element.closest('script, style, title, .skip')) continue;
    const style = getComputedStyle(element);
    const ink = rgb(element instanceof SVGElement ? style.fill : style.color), back = ground(element);
    const [a, b] = [light(ink), light(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    const key = element.tagName + '.' + element.getAttribute('class') + ratio.toFixed(1);
    if (ratio < 4.5 && !seen.has(key)) { seen.add(key); found.push('contrast ' + ratio.toFixed(2) + ' of ' + key); }
  }
  for (const element of document.querySelectorAll('a[href], summary, [tabindex="0"], [role=img]'))
    if (!(element.textContent.trim() || element.getAttribute('aria-label'))) found.push('no name: ' + element.outerHTML.slice(0, 80));
  if (document.querySelectorAll('h1').length !== 1) found.push('not one h1');
  if (document.documentElement.scrollWidth > innerWidth + 1) found.push('wider than the window: ' + document.documentElement.scrollWidth);
  return found;
}"""


def note(page, what):
    faults.append(f"{page.name}: {what}")


def open_page(browser, path, width, dark, script=True):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", java_script_enabled=script)
    page = context.new_page()
    page.on("console", lambda message: note(path, f"console: {message.text}"))
    page.on("pageerror", lambda error: note(path, f"error: {error}"))
    page.on("request", lambda r: r.url.startswith("file:") and r.url.endswith(path.name) or note(path, f"asks for {r.url}"))
    page.goto(path.as_uri())
    return context, page


def by_keyboard(path, page):
    drawing = page.locator("svg.drawing").first
    drawing.focus()
    page.keyboard.press("ArrowRight")
    first = page.locator(".moment").first.inner_text()
    page.keyboard.press("End")
    last = page.locator(".moment").first.inner_text()
    if not first or first == last:
        note(path, "the arrow keys do not step")
    page.keyboard.press("Escape")
    if page.locator(".moment").first.inner_text():
        note(path, "Escape leaves the moment there")


def by_pointer(path, page):
    page.locator("svg.drawing").first.scroll_into_view_if_needed()
    box = page.locator("svg.drawing").first.bounding_box()
    place = 0.5
    if not path.stem.startswith("diff"):
        # In the midst of its first transfer the library loads and the server answers.
        place = page.locator(".example script").first.evaluate("""e => { const d = JSON.parse(e.textContent), r = d.requests[0];
            return (r[0] + (r[1] ?? d.duration)) / 2 / d.duration; }""")
    page.mouse.move(box["x"] + box["width"] * place, box["y"] + 20)
    said = page.locator(".moment").first.inner_text()
    if not said:
        note(path, "pointing at a drawing says nothing")
    for lane in ("库: ", "服务器: ") if path.stem.endswith("zh-Hans") else ("library: ", "server: "):
        if not path.stem.startswith("diff") and lane not in said:
            note(path, f"pointing at a drawing does not say what a lane did then: {lane}in {said}")


def main(chromium, pages, pictures):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        looks = 0
        for path in sorted(pages.glob("*.html")):
            for width in (400, 1100, 2000):
                for dark in (False, True):
                    context, page = open_page(browser, path, width, dark)
                    for fault in page.evaluate(LOOK):
                        note(path, f"{width} {'dark' if dark else 'light'}: {fault}")
                    if page.locator("svg.drawing").count():
                        by_pointer(path, page)
                        by_keyboard(path, page)
                    page.screenshot(path=pictures / f"{path.stem}-{width}-{'dark' if dark else 'light'}.png", full_page=True)
                    context.close()
                    looks += 1
            context, page = open_page(browser, path, 1100, False, script=False)
            if not page.locator("svg.drawing title").count() and "diff" not in path.name:
                note(path, "without script the drawings say nothing")
            context.close()
        browser.close()

    for fault in sorted(set(faults)):
        print(f"browser: {fault}")
    print(f"{looks} looks at {len(list(pages.glob('*.html')))} pages, {len(set(faults))} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
