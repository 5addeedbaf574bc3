"""What a step through Python costs more than in C++: PYTHONPATH=build/release/python /usr/bin/python3 benchmarks/python_cost.py [SCENE...]

The steps of C++ are timed by their own clock, inside a run of equal steps; the rest is the medians of rounds, taken in turn, of
processor time: other load on the machine hits all alike.
"""

import statistics
import sys
import time

import stiction

STEPS, ROUNDS = 1000, 31


def single(world: stiction.World) -> None:
    for _ in range(STEPS):
        world.step()


def together(world: stiction.World) -> None:
    world.run(STEPS)


def costs(scene: str) -> dict[str, float]:
    """Microseconds per step."""
    world = stiction.World(scene)
    start = world.snapshot()
    seconds: dict[str, list[float]] = {"step() one by one": [], "run(1000)": [], "inside C++": []}
    for _ in range(ROUNDS):
        for name, take in (("step() one by one", single), ("run(1000)", together)):
            world.restore(start)
            before = time.process_time()
            take(world)
            seconds[name].append(time.process_time() - before)
        world.restore(start)
        inside = 0.0
        for _ in range(STEPS):
            world.step()
            inside += world.report["seconds"]
        seconds["inside C++"].append(inside)
    return {name: 1e6 * statistics.median(times) / STEPS for name, times in seconds.items()}


for scene in sys.argv[1:] or ["bounce", "ramp", "grasp", "arm"]:
    print(scene + ":", ", ".join(f"{name} {cost:.2f} us" for name, cost in costs(scene).items()))
