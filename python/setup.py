"""The wheel: the package beside this file and, within it, the installed tree that scripts/package puts into tilescope/tree."""
import pathlib
import re

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent


def version():
    """Of the one place that has it: copied to _version.py by scripts/package, else read from the checkout."""
    copied = HERE / "tilescope/_version.py"
    if copied.is_file():
        return re.search(r'"(.*)"', copied.read_text(encoding="utf-8"))[1]
    return re.search(r"project\(tilescope VERSION ([\d.]+)", (HERE.parent / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


class OfThisPlatform(bdist_wheel):
    """Programs and libraries of Linux on x86-64, for any Python 3."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", "manylinux_2_36_x86_64"


def tree():
    """Every file of the installed tree, relative to the package."""
    root = HERE / "tilescope"
    return [str(path.relative_to(root)) for path in sorted((root / "tree").rglob("*")) if path.is_file()]


setup(
    name="tilescope",
    version=version(),
    description="Run CUDA programs without a GPU and count every memory access",
    license="Apache-2.0",
    python_requires=">=3.9",
    packages=["tilescope"],
    package_data={"tilescope": ["py.typed", *tree()]},
    entry_points={"console_scripts": ["tilescope = tilescope.program:main"]},
    cmdclass={"bdist_wheel": OfThisPlatform},
    zip_safe=False,
)
