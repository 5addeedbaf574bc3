#!/usr/bin/env python3
"""Tables from the lines of benchmarks/peers/run, for the terminal."""
import argparse
import json
import sys

OURS = ("stiction", "stiction-native")
# A grasp is kept when no box slid further and no faces overlap deeper than this [mm].
KEPT_MM = 1.0
# The ramp is right when a cube that must stay creeps no further [um] (one step of free fall is 3.4), and one that
# must slide is off by no more than this in speed [-] and lift [um].
CREEP_UM, SPEED_ERROR, LIFT_UM = 10.0, 2e-3, 10.0


def speed(row):
    return row.get("best_steps_per_cpu_s", 0.0)


def best_of_rounds(rows):
    """One row per config: what the first round measured, with the speed of its fastest complete round."""
    first = {}
    for row in rows:
        best = first.setdefault(tuple(row.get(key) for key in ("engine", "scene", "config", "k", "mu", "n", "dt", "base")), row)
        if not row.get("capped") and speed(row) > speed(best):
            best["best_steps_per_cpu_s"] = speed(row)
    return list(first.values())


def number(value, digits=3):
    if value is None:
        return "-"
    if value == 0:
        return "0"
    if abs(value) >= 1e5 or abs(value) < 1e-4:
        return f"{value:.1e}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}"


def grasp_is_right(row):
    slip, depth = row.get("slip_mm_end"), row.get("penetration_mm_end")
    return slip is not None and depth is not None and slip < KEPT_MM and depth < KEPT_MM


def ramp_is_right(row):
    if "creep_um" in row:
        return row["creep_um"] is not None and row["creep_um"] < CREEP_UM
    error, lift = row.get("speed_relerr"), row.get("lift_um")
    return error is not None and abs(error) < SPEED_ERROR and lift < LIFT_UM


def robot_is_right(row):
    """Stands, also where soft contacts let it sink by some millimetres; feet roll but do not slide."""
    return row["torso_z"] > 0.145 and row["foot_slip_mm"] < 0.01


PILE = [
    ("settled steps/s", "settled_steps_per_cpu_s"), ("mean penetration %", "mean_penetration_pct"),
    ("max %", "max_penetration_pct"), ("moved mm", "moved_mm"), ("solved %", "solved_pct"),
    ("residual", "last_residual"), ("outside", "outside"), ("contacts", "mean_contacts")]
# Per scene: parameter that splits it into groups and its wording, the test for a right answer, columns (title, key).
SCENES = {
    "grasp": (lambda r: f"{r['k']} boxes", grasp_is_right, [
        ("slip mm", "slip_mm_end"), ("penetration mm", "penetration_mm_end"), ("contacts", "mean_contacts")]),
    "ramp": (lambda r: f"mu {r['mu']}, must {'slide' if r['mu'] < 0.36 else 'stick'}", ramp_is_right, [
        ("speed error", "speed_relerr"), ("creep um", "creep_um"), ("lift um", "lift_um"), ("sink um", "sink_um"),
        ("contacts", "mean_contacts")]),
    "robot": (lambda r: "standing", robot_is_right, [
        ("foot slip mm", "foot_slip_mm"), ("torso m", "torso_z"), ("contacts", "mean_contacts")]),
    "granular": (lambda r: f"{r['n']} spheres in {r['base']:g} m, {1000 * r['dt']:g} ms", None, PILE),
    "boxes": (lambda r: "1000 cubes", None, PILE),
    "pyramid": (lambda r: "385 cubes", None, PILE),
    "wall": (lambda r: f"210 bricks, {1000 * r['dt']:.3g} ms", None, PILE),
    "islands": (lambda r: "100 stacks", None, PILE),
}


def remark(row, is_right):
    if "failed" in row:
        return "failed: " + row["failed"]
    if row.get("dropped"):
        return "dropped"
    if is_right and not is_right(row):
        return "off"
    return "cut" if row.get("capped") else ""


def scene_tables(scene, rows):
    """[(title, header, lines)] of one scene: fastest first, ratios to the fastest peer that is right."""
    group_of, is_right, columns = SCENES[scene]
    groups = {}
    for row in rows:
        groups.setdefault(group_of(row), []).append(row)
    tables = []
    for title, members in groups.items():
        right = [r for r in members if r["engine"] not in OURS and "failed" not in r and is_right and is_right(r)]
        reference = max(right, key=speed) if right else None
        header = ["engine", "config", "steps/CPU s"] + (["ratio"] if is_right else [])
        header += [c[0] for c in columns] + [""]
        lines = []
        for row in sorted(members, key=speed, reverse=True):
            line = [row["engine"], row["config"], f"{speed(row):,.0f}"]
            if is_right:
                shown = reference and is_right(row)
                line.append(f"{speed(row) / speed(reference):.2f}" if shown else "-")
            note = "reference" if row is reference else remark(row, is_right)
            lines.append(line + [number(row.get(key)) for _, key in columns] + [note])
        tables.append((f"{scene}, {title}", header, lines))
    return tables


def as_text(header, lines):
    widths = [max(len(line[i]) for line in [header] + lines) for i in range(len(header))]
    left = {0, 1, len(header) - 1}
    return "\n".join("  ".join(cell.ljust(w) if i in left else cell.rjust(w)
                               for i, (cell, w) in enumerate(zip(line, widths))).rstrip()
                     for line in [header] + lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lines", help="JSON lines of the peer programs")
    arguments = parser.parse_args()

    with open(arguments.lines, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    machine = next((r for r in rows if "machine" in r), None)
    if machine:
        busy = " Other programs were running." if machine["load"] > 0.5 else ""
        print(f"{machine['machine']}, {machine['cores']} cores; load {machine['load']} at the start; "
              f"{machine['compiler']}; measured {machine['date']} by `{machine['command']}`.{busy}")
    for scene in SCENES:
        members = best_of_rounds(r for r in rows if r.get("scene") == scene)
        for title, header, lines in scene_tables(scene, members):
            print(f"\n{title}\n{as_text(header, lines)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
