# SPDX-License-Identifier: Apache-2.0
"""Zooms and moves drawings by keys and by the pointer, and measures on the printed page that two drawings fit one sheet."""

# A sheet of A4 with margins of 10 mm, in CSS pixels.
WIDTH, HEIGHT = 718, 1046


def state(page):
    """Width of each drawing of the first figure against its window, and how far it is moved."""
    return page.evaluate("""() => [...document.querySelectorAll('.compare')].find(f => f.querySelectorAll('.pan').length === 2)
        .querySelectorAll('.pan').values().map(p => { const width = p.querySelector('svg').getBoundingClientRect().width;
          return [Math.round(width / p.clientWidth), p.scrollLeft / width,
            Number.parseFloat(p.querySelector('.lane').getAttribute('x')) / 100]; }).toArray()""")


def check(page, note):
    """The page shows a run with a figure of two drawings."""
    drawing = page.locator(".compare:has(.example + .example) svg.drawing").first
    drawing.scroll_into_view_if_needed()
    drawing.focus()
    page.keyboard.press("Escape")
    page.keyboard.press("+")
    page.keyboard.press("+")
    zoomed = state(page)
    if [one[0] for one in zoomed] != [4, 4] or abs(zoomed[0][1] - 0.375) > 0.01:
        note(f"plus does not zoom both drawings about their middle: {zoomed}")
    page.keyboard.press("Shift+ArrowRight")
    moved = state(page)
    if abs(moved[0][1] - zoomed[0][1] - 0.05) > 0.005 or any(abs(one[1] - moved[0][1]) > 0.005 for one in moved):
        note(f"Shift and an arrow do not move both drawings by a fifth of the window: {moved}")
    if any(abs(one[1] - one[2]) > 0.005 for one in moved):
        note(f"the lanes' names do not stay in sight: {moved}")
    page.keyboard.press("End")
    cursor = float(drawing.locator(".cursor").get_attribute("x1").rstrip("%")) / 100
    if not state(page)[0][1] <= cursor <= state(page)[0][1] + 0.25:
        note(f"a moment out of sight is not brought into it: {cursor} {state(page)}")
    page.keyboard.press("0")
    if [one[:2] for one in state(page)] != [[1, 0], [1, 0]]:
        note(f"0 does not show all: {state(page)}")
    place = drawing.bounding_box()
    x, y = place["x"] + place["width"] * 0.25, place["y"] + 30
    page.mouse.move(x, y)
    page.keyboard.down("Control")
    for _ in range(4):
        page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_timeout(200)
    scale = 1.25 ** 4
    wheel = state(page)
    if abs(wheel[0][1] - (0.25 - 0.25 / scale)) > 0.01:
        note(f"the wheel does not zoom about the pointer: {wheel}")
    page.mouse.down()
    page.mouse.move(x - 100, y, steps=5)
    page.mouse.up()
    page.wait_for_timeout(100)
    dragged = state(page)
    if abs(dragged[0][1] - wheel[0][1] - 100 / (place["width"] * scale)) > 0.01:
        note(f"a drag does not move the drawing: {wheel} {dragged}")
    page.keyboard.press("0")


def check_print(page, note):
    """Each drawing with its words takes less than half a sheet and more than a third."""
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.emulate_media(media="print")
    heights = page.evaluate("[...document.querySelectorAll('.compare .example')].map(e => e.getBoundingClientRect().height)")
    page.emulate_media(media="screen")
    if not heights or max(heights) > HEIGHT / 2 or min(heights) <= HEIGHT / 3:
        note(f"a printed sheet does not hold two drawings: {sorted(heights)[:2]} to {sorted(heights)[-2:]} of {HEIGHT} px")
