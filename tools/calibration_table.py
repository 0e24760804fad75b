#!/usr/bin/env python3
"""Prints the tables of docs/calibration.md from device model files.

    tools/calibration_table.py INSTALLED CALIBRATED [SECOND]   parameters, side by side
    tools/calibration_table.py --observed CALIBRATED           what no rule reads
    tools/calibration_table.py --rules CALIBRATED              which rules were kept
"""
import json
import sys

UNITS = ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K"))


def size(number):
    for unit, letter in UNITS:
        if number >= unit and number % unit == 0:
            return f"{int(number // unit)}{letter}"
    return f"{number:g}"


def figure(number):
    return f"{number:.4g}" if abs(number) < 1000 else str(round(number))


def value(name, row):
    found = row["value"]
    if found is None:
        return "none"
    if name.endswith("bandwidth_bytes_per_s"):
        return f"{found / 1e9:.1f} GB/s"
    if not isinstance(found, list):
        return found if isinstance(found, str) else figure(found)
    if not found:
        return "none"
    if isinstance(found[0], dict) and "connections" in found[0]:
        return ", ".join(
            f"{row['connections']}: {len(row['compute_ids'])} + {len(row['h2d_ids'])} + {len(row['d2h_ids'])}"
            for row in found)
    if isinstance(found[0], dict):
        return ", ".join(
            f"from {size(row['from_bytes'])}: {row['latency_ns']} ns, {row['bandwidth_bytes_per_s'] / 1e9:.0f} GB/s"
            for row in found)
    if isinstance(found[0], list):
        x = size if "bytes" in name else figure
        return ", ".join(f"{x(point[0])}: {figure(point[1])}" for point in found)
    return " ".join(str(number) for number in found)


def interval(name, row):
    if row["source"].startswith("default"):
        return "(default)"
    if "interval_90" not in row or isinstance(row["interval_90"][0], list):
        return ""
    low, high = row["interval_90"]
    if name.endswith("bandwidth_bytes_per_s"):
        return f"{low / 1e9:.1f} – {high / 1e9:.1f}"
    return f"{figure(low)} – {figure(high)}"


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def parameters(models):
    heads = ["parameter", "installed", "calibrated", "90 % interval", "second run"]
    print("| " + " | ".join(heads[:len(models) + 2]) + " |")
    print("|" + "---|" * (len(models) + 2))
    installed, calibrated = models[0]["parameters"], models[1]["parameters"]
    for name, row in calibrated.items():
        measured = not row["source"].startswith("default")
        cells = [value(name, installed[name]) if name in installed else "",
                 value(name, row) if measured else "(default)",
                 interval(name, row) if measured else ""]
        if len(models) > 2:
            cells.append(value(name, models[2]["parameters"][name]) if measured else "")
        print(f"| `{name}` | " + " | ".join(cells) + " |")


def observed(model):
    print("| figure | value | 90 % interval |")
    print("|---|---|---|")
    for name, row in model["observed"].items():
        print(f"| `{name}` | {value(name, row)} | {interval(name, row)} |")


def rules(model):
    print("| rule | says | kept | instead |")
    print("|---|---|---|---|")
    for name, row in model["rules"].items():
        print(f"| {name} | {row['says']} | {row['kept']} of {row['of']} | {row['instead']} |")


def main(arguments):
    if len(arguments) == 2 and arguments[0] in ("--observed", "--rules"):
        (observed if arguments[0] == "--observed" else rules)(load(arguments[1]))
    elif len(arguments) in (2, 3) and not arguments[0].startswith("-"):
        parameters([load(path) for path in arguments])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
