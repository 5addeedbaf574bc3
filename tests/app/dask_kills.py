"""A sweep on a local Dask cluster whose worker processes are killed at random: dask_kills.py FILE OUT PROGRAM KILLS"""
import os
import random
import signal
import sys
import threading

import stiction
from distributed import Client, LocalCluster


def kill_workers(cluster, kills, done, count):
    """One at a time, until there were enough or the sweep has ended."""
    chance = random.Random(4)
    while len(count) < kills and not done.wait(chance.uniform(0.1, 0.6)):
        nanny = chance.choice(list(cluster.workers.values()))
        if nanny.pid is not None:
            os.kill(nanny.pid, signal.SIGKILL)
            count.append(nanny.pid)


def main():
    file, out, program, kills = sys.argv[1:]
    done, count = threading.Event(), []
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster, Client(cluster) as client:
        killer = threading.Thread(target=kill_workers, args=(cluster, int(kills), done, count))
        killer.start()
        try:
            table = stiction.sweep(file, client, out=out, program=program)
        finally:
            done.set()
            killer.join()
    print(len(count), "workers killed,", len(table["job"]), "rows")
    sys.exit(0 if len(count) == int(kills) else 1)


if __name__ == "__main__":
    main()
