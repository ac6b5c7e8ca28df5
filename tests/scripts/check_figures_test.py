"""check_figures.py on small trees made for the purpose. usage: check_figures_test.py SCRIPTS_FOLDER"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)) / "check_figures.py"
FILE = "scope/observers/hierarchy/l1/a.cpp"


class CheckFigures(unittest.TestCase):
    def run_on(self, text, name=FILE):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
            return done.returncode, done.stderr

    def test_small_numbers_are_free(self):
        text = "int a = 0, b = 1u, c = 2.0, d = a0x7 + w.x4;  // 105 cycles\nconst char* e = \"240\", f = '7';\n"
        self.assertEqual((0, ""), self.run_on(text))

    def test_a_planted_figure_is_seen(self):
        status, text = self.run_on("int a = 1;\nint wait = 105;\n")
        self.assertEqual(1, status)
        self.assertIn(FILE + ":2: 105 stands in the code", text)

    def test_in_whatever_spelling(self):
        for spelling in ("0.75", ".5", "1e3", "0x69", "0b11", "1'000", "84u", "3.f", "7ull"):
            self.assertEqual(1, self.run_on(f"auto a = {spelling};\n")[0], spelling)

    def test_a_mark_says_what_it_is(self):
        self.assertEqual((0, ""), self.run_on("int lanes = 32;  // geometry: of a warp\n"))
        self.assertEqual((0, ""), self.run_on("// numeric: it converges in fewer\nfor (int i = 0; i < 40; ++i) go();\n"))

    def test_and_is_of_one_statement(self):
        text = "// geometry: bits of a word\nint a = b << 7 |\n    c << 5;\nint wait = 105;\n"
        status, found = self.run_on(text)
        self.assertEqual(1, status)
        self.assertEqual(1, len(found.splitlines()))
        self.assertIn(":4: 105", found)

    def test_a_mark_says_something(self):
        self.assertEqual(1, self.run_on("int wait = 105;  // geometry:\n")[0])

    def test_every_folder_is_looked_at(self):
        for name in ("scope/models/time/a.h", "scope/models/timeline/a.cpp", "scope/session/launch/cache_figures.cpp",
                     "scope/views/document/a.cpp", "scope/views/words/a.h"):
            self.assertEqual(1, self.run_on("int wait = 105;\n", name)[0], name)

    def test_others_are_not(self):
        status, text = self.run_on("int wait = 105;\n", "scope/views/a.cpp")
        self.assertIn("there are no files", text)


unittest.main()
