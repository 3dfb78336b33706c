# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the times of the nests as an SVG: for each program one row, with a mark for each
variant at how many primals (on one thread) its gradient takes, on a logarithmic axis."""
import math

MARKS = [
    # key, label, colour, filled; the time is at [threads][key]
    ("ours", 0, "ours, 1 thread", "#d95f02", False),
    ("ours", 1, "ours, %d threads", "#d95f02", True),
    ("hand", 0, "by hand, 1 thread", "#1b9e77", False),
    ("hand", 1, "by hand, %d threads", "#1b9e77", True),
    ("enzyme", 0, "Enzyme, 1 thread", "#7570b3", False),
]
ROW, LEFT, WIDTH, TOP = 20, 110, 640, 60


def points(result, threads):
    """Of each variant that was run: its mark and its time in primals."""
    first = result["threads1"]
    for key, many, label, colour, filled in MARKS:
        times = result.get("threads%d" % threads) if many else first
        if times and key + "_ms" in times and not (many and threads == 1):
            yield times[key + "_ms"] / first["primal_ms"], label, colour, filled


def draw(results, threads):
    """The text of the SVG."""
    values = [v for r in results for v, *_ in points(r, threads)]
    low, high = math.floor(math.log2(min(values + [1]))), math.ceil(math.log2(max(values + [2])))

    def x(value):
        return LEFT + WIDTH * (math.log2(value) - low) / (high - low)

    bottom = TOP + ROW * len(results)
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">'
        % (LEFT + WIDTH + 30, bottom + 45),
        '<rect width="100%" height="100%" fill="white"/>',
    ]

    def text(x, y, what, anchor="start"):
        out.append('<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>' % (x, y, anchor, what))

    def mark(x, y, colour, filled):
        out.append('<circle cx="%.1f" cy="%.1f" r="4.5" stroke="%s" stroke-width="2" fill="%s"/>'
                   % (x, y, colour, colour if filled else "white"))  # fmt: skip

    used = {label for r in results for _, label, *_ in points(r, threads)}
    place = LEFT
    for _, many, label, colour, filled in MARKS:
        if label in used:
            mark(place, 20, colour, filled)
            text(place + 9, 24, label % threads if many else label)
            place += 125
    for power in range(low, high + 1):
        at = x(2**power)
        out.append('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/>' % (at, TOP - 10, at, bottom))
        text(at, bottom + 16, "%g" % 2**power, "middle")
    text(LEFT + WIDTH / 2, bottom + 36, "time of the gradient, in primals on one thread", "middle")
    for number, r in enumerate(results):
        y = TOP + ROW * number
        text(LEFT - 10, y + 4, r["name"], "end")
        out.append('<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#eee"/>' % (LEFT, y, LEFT + WIDTH, y))
        for value, _, colour, filled in points(r, threads):
            mark(x(value), y, colour, filled)
    return "\n".join(out + ["</svg>"]) + "\n"
