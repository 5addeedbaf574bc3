"""Builds the Python module by CMake and puts the shipped scenes and problems beside it; pyproject.toml has the rest.

STICTION_BUILD names a folder that CMake has configured with STICTION_PYTHON=ON, to be used in place of build/pip.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class BuildByCMake(build_ext):
    def build_extension(self, ext: Extension) -> None:
        folder = pathlib.Path(os.environ.get("STICTION_BUILD", ROOT / "build" / "pip"))
        if "STICTION_BUILD" not in os.environ:
            off = [f"-DSTICTION_{name}=OFF" for name in ("TESTS", "BENCH")]
            subprocess.check_call(
                ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSTICTION_PYTHON=ON",
                 f"-DPython_EXECUTABLE={sys.executable}", *off])
        subprocess.check_call(["ninja", "-C", folder, "stiction_python"])
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(next((folder / "python" / "stiction").glob("_stiction*.so")), target)
        share = target.parent / "share" / "stiction"
        shutil.copytree(ROOT / "scenes", share / "scenes", dirs_exist_ok=True)
        shutil.copytree(ROOT / "tests" / "data" / "problems", share / "problems", dirs_exist_ok=True)


version = re.search(r"project\(Stiction VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
assert version is not None
setup(
    version=version.group(1),
    ext_modules=[Extension("stiction._stiction", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
)
