# SPDX-License-Identifier: Apache-2.0
"""Points at ten moments of each drawing of a stored run, and compares what the page says with the run's own JSON: touch, stop
and silence of main, the callbacks of each kind, how far transfers and requests were."""
import json
import pathlib

RUN = "20261123T000001Z-lesson-09-4MiB"
GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "ReportsTests" / "Golden"
MOMENTS = 10


def seconds(text):
    value, unit = text.split("\u00a0")
    return float(value) / (1000 if unit == "ms" else 1)


def within(stretch, instant):
    return stretch is not None and stretch["began"] <= instant <= stretch["ended"]


def reached(ended, instant):
    return ended is not None and instant >= ended


def expected(example, instant, near):
    """What must be said of the moment, and what must not."""
    happenings = example["happenings"]
    touch, stop = happenings.get("touch"), happenings.get("stop")
    # A stored touch of former builds begins a tenth of a second late.
    if touch is not None:
        early = 0 if "countedFrom" in touch else 0.1
        touch = {"began": touch["stretch"]["began"] - early, "ended": touch["stretch"]["ended"]}
    states = [("touch", within(touch, instant)), ("process stopped", within(stop, instant)),
              ("main silent", any(within(gap, instant) for gap in example["mainThread"].get("gaps", [])))]
    for load in example["loads"]:
        lies = load["began"] <= instant and (load["ended"] is None or instant <= load["ended"] + near)
        over = reached(load.get("ended"), instant)
        states += [(f"library: {load['number']} under way", lies and not over), (f"library: {load['number']} {load['kind']}", lies and over)]
    for seen in example["requests"]:
        lies = seen["began"] <= instant and (seen.get("ended") is None or instant <= seen["ended"] + near)
        over = reached(seen.get("ended"), instant)
        name = f"{seen['method']} {seen['target']} · "
        states += [(f"{name}{seen['status']}", lies and over), (f"{name}asked", lies and not over and seen.get("answered") is None)]
    return states


def callbacks(example, instant, near):
    """Kinds that came at the moment for certain, and those that may be said, for a drawing thins out what lies at one place."""
    grain = near * 400 / 1000
    kinds = example["callbacks"]
    for sure, reach in ((True, near - grain), (False, near + grain)):
        yield {kinds[tick[1]]["name"] for tick in ticks(example) if abs(tick[0] - instant) <= reach}


def ticks(example):
    return [tick if isinstance(tick, list) else [tick["instant"], tick["callback"]] for tick in example["ticks"]]


def check(page, note, origin, folder):
    """Every drawing of the golden run of lesson 09, at ten moments of the axis."""
    run = json.loads((GOLDEN / "lesson-09.json").read_text(encoding="utf-8"))
    (folder / "workbench-runs" / f"{RUN}.json").write_text(json.dumps(run), encoding="utf-8")
    page.goto(f"{origin}/runs/{RUN}")
    examples = {example["id"]: example for example in run["lessons"][0]["examples"]}
    words = 0
    for box in page.query_selector_all(".compare .example"):
        name = box.query_selector("h3, h4").inner_text().split(": ")[-1]
        drawing, data = box.query_selector("svg.drawing"), json.loads(box.query_selector("script").inner_text())
        drawing.scroll_into_view_if_needed()
        place = drawing.bounding_box()
        for moment in range(MOMENTS):
            x = round(place["x"] + place["width"] * (moment + 0.5) / MOMENTS)
            page.mouse.move(x, place["y"] + 30)
            said = box.query_selector(".moment").inner_text()
            instant = data["duration"] * (x - place["x"]) / place["width"]
            near = data["duration"] / 400
            where = f"{name} at {instant:.3f} s"
            if abs(seconds(said.split(" · ")[0]) - instant) > 0.006:
                note(f"{where}: {said}")
            states = expected(examples[name], instant, near)
            for words_of, holds in states:
                # What is true within a pixel of its edge may be said or not.
                edges = [dict(expected(examples[name], instant + step * near / 2, near)).get(words_of) for step in (-1, 1)]
                parts = said.split(" · ", 1)[1]
                if len(set(edges + [holds])) == 1 and (words_of in parts) != holds:
                    note(f"{where}: “{words_of}” is {'not ' if holds else ''}said: {said}")
            sure, possible = callbacks(examples[name], instant, near)
            named = {kind["name"] for kind in examples[name]["callbacks"] if kind["name"] in said}
            if not sure <= named or not named <= possible:
                note(f"{where}: callbacks {sorted(named)}, and the run has {sorted(sure)}")
            words += len(states) + len(possible)
    print(f"serve: {words} words of {len(examples)} drawings at {MOMENTS} moments")
    if words < 100:
        note("the moments of a run are not named")
