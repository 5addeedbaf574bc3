"""stiction.sweep on a Dask cluster: the table of one machine, also where a worker lacks the files or the program."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from typing import Any

import stiction

try:
    from distributed import Client, LocalCluster
except ImportError:
    print("python3-distributed is missing")
    sys.exit(77)

SWEEP = """version: 1
scene: SCENE
steps: 20
model: [no_slip, coulomb_cone]
parameters: {boxes: [1, 2, 3]}
seed: {from: 1, to: 20, count: 20}
"""


class Dask(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.files = self.folder / "files"  # what a worker may lack
        self.files.mkdir()
        scene = pathlib.Path(stiction.scenes_folder()) / "stack.yaml"
        (self.files / "stack.yaml").write_text(scene.read_text())
        self.file = self.files / "stacks.yaml"
        self.file.write_text(SWEEP.replace("SCENE", "stack.yaml"))
        stiction.sweep(self.file, out=self.folder / "here", workers=1)

    def cluster(self, workers: int) -> Any:
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50)
        self.addCleanup(cluster.close)
        client = Client(cluster)
        self.addCleanup(client.close)
        return client

    # A worker on this machine that sees nothing in `hidden`.
    def add_blind_worker(self, client: Any, hidden: pathlib.Path) -> None:
        if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", str(hidden)]).returncode:
            self.skipTest("only root can hide a folder from a process")
        before = len(client.scheduler_info()["workers"])
        start = 'mount -t tmpfs none "$0" && exec "$@" --nthreads 1 --no-nanny --no-dashboard'
        words = [sys.executable, "-m", "distributed.cli.dask_worker", client.scheduler_info()["address"]]
        worker = subprocess.Popen(
            ["unshare", "-m", "sh", "-c", start, str(hidden), *words], cwd="/", stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        self.addCleanup(worker.wait)
        self.addCleanup(worker.kill)
        client.wait_for_workers(before + 1, timeout=60)

    def expect_table(self) -> None:
        for name in ("table.csv", "table.h5"):
            self.assertEqual((self.folder / "dask" / name).read_bytes(), (self.folder / "here" / name).read_bytes(), name)

    def test_same_table_and_progress(self) -> None:
        seen: list[tuple[int, int]] = []
        table = stiction.sweep(self.file, self.cluster(2), out=self.folder / "dask", block=7, progress=lambda *at: seen.append(at))
        self.expect_table()
        self.assertEqual(len(table["job"]), 120)
        self.assertEqual(seen[-1], (120, 120))

    def test_a_worker_without_the_files_is_passed_over(self) -> None:
        client = self.cluster(1)
        self.add_blind_worker(client, self.files)
        stiction.sweep(self.file, client, out=self.folder / "dask", block=5)
        self.expect_table()

    def test_where_none_has_the_files_nothing_is_lost(self) -> None:
        half = self.file.read_text().replace("to: 20, count: 20", "to: 10, count: 10")
        whole = self.file.read_text()
        self.file.write_text(half)
        stiction.sweep(self.file, out=self.folder / "dask")
        self.file.write_text(whole)
        client = self.cluster(0)
        self.add_blind_worker(client, self.files)
        with self.assertRaises(stiction.SweepError) as raised:
            stiction.sweep(self.file, client, out=self.folder / "dask", block=5)
        message = str(raised.exception)
        self.assertRegex(message, r"60 of 120 jobs are missing.*; worker tcp://[^ ]*: .*stacks.yaml: no such file")
        self.assertEqual(message.count("no such file"), 1)
        stiction.sweep(self.file, out=self.folder / "dask")
        self.expect_table()

    def test_the_command_of_the_examples(self) -> None:
        out = str(self.folder / "dask")
        words = [sys.executable, "examples/sweep_dask.py", "--scheduler", "local", "--program", os.environ["STICTION_PROGRAM"]]
        done = subprocess.run([*words, str(self.file), "--out", out], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("120 jobs, 0 of them failed", done.stdout)
        self.expect_table()
        bad = subprocess.run([*words, str(self.folder / "no.yaml"), "--out", out], capture_output=True, text=True)
        self.assertEqual(bad.returncode, 1)
        self.assertRegex(bad.stderr, "error: .*no.yaml: no such file")

    def test_a_worker_with_other_files_is_told_of(self) -> None:
        client = self.cluster(1)
        other = self.folder / "other.yaml"
        other.write_text((self.files / "stack.yaml").read_text() + "# changed\n")
        program = self.folder / "stiction"  # that reads the other scene on workers
        program.write_text(
            '#!/bin/sh\ncase "$*" in *--print-rows*) exec unshare -m sh -c \'mount --bind "$0" "$1"; shift; exec "$@"\' '
            f'{other} {self.files}/stack.yaml {os.environ["STICTION_PROGRAM"]} "$@";; esac\nexec {os.environ["STICTION_PROGRAM"]} "$@"\n'
        )
        program.chmod(0o755)
        if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "mount", "--bind", str(other), str(other)]).returncode:
            self.skipTest("only root can show a process another file")
        with self.assertRaisesRegex(stiction.SweepError, "the program there is another build, or files of the sweep differ"):
            stiction.sweep(self.file, client, out=self.folder / "dask", program=program)

    def test_a_worker_without_the_program_is_told_of(self) -> None:
        tools = self.folder / "tools"
        tools.mkdir()
        program = tools / "stiction"
        program.symlink_to(os.path.abspath(os.environ["STICTION_PROGRAM"]))
        client = self.cluster(0)
        self.add_blind_worker(client, tools)
        with self.assertRaisesRegex(stiction.SweepError, "worker tcp://[^ ]*: there is no program '.*tools/stiction'"):
            stiction.sweep(self.file, client, out=self.folder / "dask", program=program)


if __name__ == "__main__":
    unittest.main()
