"""The package and its examples under mypy --strict, and the stub of _stiction against the module itself."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

if shutil.which("mypy") is None or shutil.which("stubtest") is None:
    print("mypy is missing")
    sys.exit(77)
package = next(pathlib.Path(folder) for folder in os.environ["PYTHONPATH"].split(":")) / "stiction"
examples = sorted(str(path) for path in pathlib.Path("examples/python").glob("*.py"))
# Of classes by pybind11 stubtest sees another metaclass, and a constructor where there is none.
PYBIND11 = "stiction._stiction.(Dataset|Frame|Snapshot|World)\nstiction._stiction.(Frame|Snapshot).__init__\n"
with tempfile.TemporaryDirectory() as cache:
    allowed = pathlib.Path(cache) / "allowed"
    allowed.write_text(PYBIND11)
    environment = {**os.environ, "MYPYPATH": str(package.parent), "MYPY_CACHE_DIR": cache}
    flags = ["--strict", "--ignore-missing-imports", "--python-executable", sys.executable]
    checks = [
        ["mypy", *flags, "-p", "stiction"],
        ["stubtest", "--ignore-missing-stub", "--allowlist", str(allowed), "stiction._stiction"],
    ]
    if examples:
        checks.insert(1, ["mypy", *flags, *examples])
    for command in checks:
        answer = subprocess.run(command, env=environment, capture_output=True, text=True)
        print(" ".join(command[:2]), answer.stdout, answer.stderr)
        if answer.returncode != 0:
            sys.exit(1)
