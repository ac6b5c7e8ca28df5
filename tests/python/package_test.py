"""The Python package: plain objects, the profiler's shape by ten scripts, the notebook's magic.

usage: package_test.py TILESCOPE SOURCE

Ends with 77 where there is no clang.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
HERE = SOURCE / "tests/python"
os.environ["TILESCOPE_PROGRAM"] = PROGRAM
sys.path.insert(0, str(SOURCE / "python"))
import tilescope  # noqa: E402

# What each script prints of two_kernels.cu, by reasoning: 16 blocks of 8 warps; a lane of `strided` has a sector of its own.
EXPECTED = {
    "list_kernels.py": "0 strided 16 x 256\n1 turned 16 x 256\n",
    "sectors_per_request.py": "strided 32.0\nturned 4.0\n",
    "bank_conflicts.py": "0 conflicts\n",
    "to_csv.py": None,
    "slowest.py": None,
    "hot_lines.py": None,
    "annotate.py": "  4096 out[i] = in[i * stride];\n   512 tile[threadIdx.x] = in[blockIdx.x * kBlock + threadIdx.x];\n",
    "occupancy.py": "strided 100 True\nturned 100 True\n",
    "names.py": "dram__bytes_read.sum True True\nsmsp__inst_executed_pipe_xu.sum False False\n"
                "lts__t_sectors_srcunit_tex_op_read.sum True True\nturned<256>(float const*, float*)\n_Z6turnedILi256EEvPKfPf\n",
    "rules.py": None,
}


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "p.json")
        done = subprocess.run([PROGRAM, "run", "-q", "--compiler", "clang", "--json", cls.path, str(HERE / "two_kernels.cu")],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        cls.profile = tilescope.load(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_launches_are_plain_objects(self):
        self.assertEqual(self.profile.device, "h200")
        self.assertEqual(self.profile.outcome, "ok")
        strided, turned = self.profile.launches
        self.assertEqual((strided.name, turned.name), ("strided", "turned"))
        self.assertEqual(turned.kernel, "turned<256>(float const*, float*)")
        self.assertEqual((strided.grid, strided.block), ((16, 1, 1), (256, 1, 1)))
        self.assertGreater(strided.microseconds, 0)
        self.assertEqual(turned.static_shared_bytes, 1024)
        self.assertEqual([advice.rule for advice in strided.advice if advice.line == 6][:1], ["coalesce"])
        self.assertIn("sector", strided.advice[0].message)

    # What a prompt or a notebook shows of them is a line each.
    def test_they_read_well(self):
        self.assertRegex(repr(self.profile.launches[0]), r"^<Launch 0: strided, grid 16, block 256, \d+\.\d µs modeled>$")
        self.assertTrue(repr(self.profile).startswith(f"<Profile {self.path}: 2 launches of "), repr(self.profile))
        self.assertTrue(repr(self.profile).endswith(" on h200, ok>"), repr(self.profile))

    def test_metrics_by_both_names(self):
        strided = self.profile.launches[0]
        self.assertEqual(strided["global_load_sectors"], 4096)
        self.assertEqual(strided["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 4096)
        self.assertEqual(strided["global_load_sectors_per_request"], 32)
        self.assertEqual(strided["occupancy"], 1)
        self.assertEqual(strided["microseconds"], strided.microseconds)
        self.assertEqual(strided.metrics["global_load_efficiency"], 1 / 8)
        for name in ("no_such_metric", "sm__no_such.sum", "shared_load_wavefronts_per_request"):
            with self.assertRaises(KeyError):
                strided[name]
            self.assertIsNone(strided.get(name))
        about = self.profile.metric_descriptions()["l1_hit_rate"]
        self.assertEqual((about.kind, about.modelled), ("ratio", True))

    def test_every_counter_of_the_profile_is_described(self):
        described = self.profile.metric_descriptions()
        for launch in self.profile:
            self.assertFalse(set(launch.metrics) - set(described))

    def test_lines(self):
        lines = {line.line: line for line in self.profile.launches[0].lines}
        self.assertEqual(lines[6]["global_load_sectors"], 4096)
        self.assertEqual(lines[6]["shared_load_requests"], 0)

    def test_hazards(self):
        racy = os.path.join(self.folder.name, "racy.cu")
        text = (HERE / "two_kernels.cu").read_text(encoding="utf-8").replace("    __syncthreads();\n", "")
        pathlib.Path(racy).write_text(text, encoding="utf-8")
        profile = tilescope.run("--check", "races", "--compiler", "clang", racy)
        races = [hazard for hazard in profile.all_hazards() if hazard.kind == "race"]
        self.assertTrue(races)
        self.assertEqual({races[0].line, races[0].other_line}, {12, 13})
        self.assertTrue(races[0].message and races[0].hint)
        self.assertIn("turned", races[0].kernel)

    def test_what_is_no_profile_is_refused(self):
        broken = os.path.join(self.folder.name, "broken.json")
        for text in ("[]", "{}", '{"schema": 2}', "not JSON"):
            pathlib.Path(broken).write_text(text, encoding="utf-8")
            with self.assertRaises(ValueError):
                tilescope.load(broken)
        with self.assertRaises(tilescope.ProgramError):
            tilescope.run("no_such_file.cu")

    def test_version(self):
        said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said, f"tilescope {tilescope.__version__}\n")

    def test_scripts_for_the_profilers_reports(self):
        self.assertEqual(set(EXPECTED), {path.name for path in (HERE / "scripts").glob("*.py")})
        # The profiler's module by its name.
        shim = pathlib.Path(self.folder.name) / "ncu_report.py"
        shim.write_text("from tilescope.ncu_report import *\n", encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": f"{self.folder.name}:{SOURCE / 'python'}"}
        said = {}
        for name, expected in EXPECTED.items():
            done = subprocess.run([sys.executable, str(HERE / "scripts" / name), self.path], env=environment,
                                  capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            said[name] = done.stdout
            if expected is not None:
                self.assertEqual(done.stdout, expected, name)
        raw = json.loads(pathlib.Path(self.path).read_text(encoding="utf-8"))["launches"]
        table = said["to_csv.py"].splitlines()
        for row, name, launch in zip(table[1:], ("strided", "turned"), raw):
            self.assertEqual(row, f"{name},{launch['counters']['instructions']},{launch['registers_per_thread']},"
                                  f"{launch['counters']['dram_read_bytes']}")
        times = dict(line.split() for line in said["slowest.py"].splitlines())
        for name, launch in zip(("strided", "turned"), raw):
            self.assertEqual(int(times[name]), round(launch["time"]["microseconds"] * 1000))
        self.assertIn("strided two_kernels.cu:", said["hot_lines.py"])
        self.assertIn("strided coalesce 6 True", said["rules.py"])

    def test_the_notebooks_magic(self):
        if shutil.which("jupyter-nbconvert") is None or shutil.which("jupyter") is None:
            self.skipTest("there is no jupyter-nbconvert")
        code = lambda *lines: {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": "\n".join(lines)}
        notebook = {"nbformat": 4, "nbformat_minor": 4, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}}, "cells": [
            code("%load_ext tilescope"),
            code("%%tilescope --compiler clang --into p", (HERE / "two_kernels.cu").read_text(encoding="utf-8")),
            code("print([launch.name for launch in p], p.launches[0]['global_load_sectors_per_request'])"),
        ]}
        path = pathlib.Path(self.folder.name) / "n.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(SOURCE / "python"), "HOME": self.folder.name}
        done = subprocess.run(["jupyter-nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb", str(path)],
                              env=environment, cwd=self.folder.name, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        cells = json.loads((pathlib.Path(self.folder.name) / "done.ipynb").read_text(encoding="utf-8"))["cells"]
        report = "".join("".join(output.get("text", [])) for output in cells[1]["outputs"])
        self.assertIn("global loads   32.0 sectors per request", report)
        self.assertIn("no error", report)
        self.assertEqual("".join(cells[2]["outputs"][0]["text"]), "['strided', 'turned'] 32.0\n")


if __name__ == "__main__":
    if not any(shutil.which(f"clang++-{release}") for release in range(14, 20)) and shutil.which("clang++") is None:
        print("skipped: there is no clang")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
