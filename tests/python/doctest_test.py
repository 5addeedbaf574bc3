"""The examples in the package's own texts, and in its page."""

import contextlib
import doctest
import importlib
import pathlib
import sys
import tempfile

import stiction

failed = tried = 0
for name in ("", ".world", ".problem", ".trajectory", ".environment", ".sweeps"):
    result = doctest.testmod(importlib.import_module("stiction" + name))
    failed, tried = failed + result.failed, tried + result.attempted
page = pathlib.Path("docs/python.md").resolve()
with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # it records
    result = doctest.testfile(str(page), module_relative=False, globs={"stiction": stiction})
failed, tried = failed + result.failed, tried + result.attempted
print(f"{tried} examples, {failed} failed")
sys.exit(1 if failed or tried < 25 else 0)
