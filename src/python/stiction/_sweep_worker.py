"""What a worker of a Dask cluster does. It travels there as it stands: only what every worker has may be imported."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
from typing import Optional, Tuple


# Address of the worker, rows as the program prints them, what went wrong, and whether this worker is to blame for it: then it
# need not try another block. A plain tuple, because it must be read where this file is not.
BlockRows = Tuple[str, bytes, str, bool]


def run_block(program: str, file: str, first: int, last: int) -> BlockRows:
    """Jobs first to last."""
    worker = str(importlib.import_module("distributed").get_worker().address)
    found: Optional[str] = program if os.access(program, os.X_OK) else shutil.which("stiction")
    if found is None:
        return worker, b"", f"there is no program '{program}', and no 'stiction' on the path", True
    words = [found, "sweep", file, "--index", f"{first}-{last}", "--print-rows", "--workers", "1", "--quiet"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    message = done.stderr.decode(errors="replace").strip()
    if done.returncode < 0:
        message = f"{found} was ended by signal {-done.returncode}"
    refused = done.returncode == 2  # bad input: a file that is missing here, or another version of it
    return worker, done.stdout, message if done.returncode else "", refused
