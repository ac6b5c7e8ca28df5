"""Profiles of tilescope in Python.

    import tilescope
    profile = tilescope.load("profile.json")          # what `tilescope run --json profile.json` wrote
    for launch in profile.launches:
        print(launch.name, launch["global_load_sectors_per_request"], launch.microseconds)

`load_report` gives the same profile in the shape of NVIDIA's ncu_report, and `%load_ext tilescope` the cell magic
`%%tilescope` for notebooks.
"""
from .magic import load_ipython_extension
from .ncu_report import load_report
from .profile import Advice, Hazard, Launch, Line, Profile, load
from .program import ProgramError, run

try:
    from ._version import __version__  # type: ignore[import]
except ImportError:  # in a checkout
    from .program import version as _version

    __version__ = _version()

__all__ = ["Advice", "Hazard", "Launch", "Line", "Profile", "ProgramError", "load", "load_ipython_extension", "load_report",
           "run", "__version__"]
