#!/usr/bin/env python3
"""Checks that scenes/schema.json accepts every shipped scene and rejects broken ones. Run in the project's root."""
import copy
import glob
import json
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing}; install python3-jsonschema and python3-yaml")
    sys.exit(77)

EXAMPLE = yaml.safe_load("""
version: 1
contact: {model: no_slip}
parameters: {boxes: 2}
materials: {ice: {friction: 0.1}}
bodies:
  - {name: ball, mass: 1, shape: {type: sphere, radius: 1}}
robots:
  - {name: arm, urdf: arm.urdf, joints: {elbow: {position: 1}}, hold: {kp: 1}}
joints:
  - {type: revolute, child: ball, axis: [0, 0, 1]}
forces:
  - {body: ball, force: [1, 0, 0]}
plots: [body ball speed, [step kinetic, step total]]
""")

# Path to a key of the example, and a value that must not pass (None: the key is removed).
BROKEN = [
    (["version"], None),
    (["version"], 2),
    (["bodys"], []),
    (["gravity"], 9.81),
    (["gravity"], [0, 0]),
    (["duration"], [1]),
    (["step"], {"hh": 0.1}),
    (["step"], {"stabilisation": "projektion"}),
    (["contact", "model"], "coulumb_lcp"),
    (["contact", "sides"], 4),
    (["contact", "solver"], "lemke"),
    (["parameters", "i"], 1),
    (["parameters", "boxes"], {"min": 1}),
    (["materials", "ice"], {"frictoin": 1}),
    (["bodies", 0, "frictoin"], 1),
    (["plots"], "body ball speed"),
    (["plots", 1], []),
    (["bodies", 0, "kind"], "statik"),
    (["bodies", 0, "kind"], "static"),
    (["bodies", 0, "density"], 1),
    (["bodies", 0, "mass"], True),
    (["bodies", 0, "inertia"], [1, 1]),
    (["bodies", 0, "orientation"], [1, 0, 0]),
    (["bodies", 0, "orientation"], {"axis": [0, 0, 1]}),
    (["bodies", 0, "shape"], {"type": "cube"}),
    (["bodies", 0, "shape"], {"type": "sphere", "size": 1}),
    (["bodies", 0, "shape"], {"type": "box", "size": [1, 1, 1], "half": [1, 1, 1]}),
    (["bodies", 0, "shape"], {"type": "heightfield", "size": [1, 1]}),
    (["bodies", 0, "shape"], {"type": "heightfield", "size": [1, 1], "heights": {"grid": [[1, 2]]}}),
    (["bodies", 0, "shape"], {"type": "heightfield", "size": [1, 1], "heights": {"file": "a.png", "seed": 1}}),
    (["bodies", 0, "shape"], {"type": "mesh"}),
    (["bodies", 0, "shapes"], []),
    (["robots", 0, "name"], None),
    (["robots", 0, "urdf"], None),
    (["robots", 0, "fixd_base"], True),
    (["robots", 0, "coordinates"], "minimal"),
    (["robots", 0, "ignore"], ["mesh"]),
    (["robots", 0, "hold", "kp"], None),
    (["robots", 0, "joints", "elbow"], {"start": 1}),
    (["joints", 0, "type"], "hinge"),
    (["joints", 0, "child"], None),
    (["joints", 0, "axis"], None),
    (["joints", 0, "motor"], {"kp": 1}),
    (["joints", 0, "limits"], [1]),
    (["joints", 0, "mimic"], {"multiplier": 2}),
    (["joints", 0, "mimic"], "other"),
    (["forces", 0, "body"], None),
    (["forces", 0, "force"], None),
    (["forces", 0, "kp"], 1),
]


def broken(path, value):
    scene = copy.deepcopy(EXAMPLE)
    place = scene
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return scene


def main():
    with open("scenes/schema.json", encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    failures = []

    def expect_valid(name, scene):
        for error in validator.iter_errors(scene):
            failures.append(f"{name}: {'.'.join(map(str, error.absolute_path))}: {error.message}")

    paths = sorted(glob.glob("scenes/*.yaml")) + sorted(glob.glob("tests/scene/data/*.yaml"))
    if len(paths) < 3:
        failures.append("no scenes found; run in the project's root")
    for path in paths:
        with open(path, encoding="utf-8") as file:
            expect_valid(path, yaml.safe_load(file))
    expect_valid("the example", EXAMPLE)
    for path, value in BROKEN:
        if validator.is_valid(broken(path, value)):
            failures.append(f"accepted a broken scene: {'.'.join(map(str, path))} = {value}")

    print("\n".join(failures) or f"{len(paths)} scenes accepted, {len(BROKEN)} broken ones rejected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
