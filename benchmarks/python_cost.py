"""What a step through Python costs more than inside one call: PYTHONPATH=build/release/python /usr/bin/python3 benchmarks/python_cost.py"""

import statistics
import time

import stiction

STEPS, ROUNDS = 1000, 31  # the median of rounds, taken in turn, of processor time: other load on the machine hits both alike


def single(world: stiction.World) -> None:
    for _ in range(STEPS):
        world.step()


def together(world: stiction.World) -> None:
    world.run(STEPS)


world = stiction.World("bounce")
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
        inside += world.report["seconds"]  # by the step's own clock
    seconds["inside C++"].append(inside)
for name, times in seconds.items():
    print(f"{name:<20} {1e6 * statistics.median(times) / STEPS:8.3f} us per step")
