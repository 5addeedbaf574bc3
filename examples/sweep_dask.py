#!/usr/bin/python3
"""A sweep on a Dask cluster, from the command line: every task runs a block of jobs and sends their rows back.

    sweep_dask.py FILE --out DIR --scheduler tcp://HOST:8786

Workers need the program and the files of the sweep under the same paths; DIR need not be shared. A worker that dies costs its
block, which another one runs. Started again, it runs what is missing. The table is that of `stiction sweep FILE --out DIR`.
"""
import argparse
import sys

import stiction
from distributed import Client


def show(done: int, jobs: int) -> None:
    print(f"\r{done} of {jobs} jobs", end="\n" if done == jobs else "", file=sys.stderr, flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("file")
    options.add_argument("--out", required=True)
    options.add_argument("--scheduler", required=True, help="its address; 'local' starts one with workers on this machine")
    options.add_argument("--program", help="its path on the workers, where it is not the one here")
    options.add_argument("--block", type=int, default=25, help="jobs of a task")
    asked = options.parse_args()
    address = {"threads_per_worker": 1, "dashboard_address": None} if asked.scheduler == "local" else {"address": asked.scheduler}
    try:
        with Client(**address) as client:
            table = stiction.sweep(asked.file, client, out=asked.out, program=asked.program, block=asked.block, progress=show)
    except (stiction.InputError, stiction.SweepError) as error:
        sys.exit(f"error: {error}")
    print(f"{len(table['job'])} jobs, {(table['status'] == 'failed').sum()} of them failed; {asked.out}/table.csv")


if __name__ == "__main__":
    main()
