"""check_opcodes.py on small trees made for the purpose. usage: check_opcodes_test.py SCRIPTS_FOLDER"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)) / "check_opcodes.py"
ROWS = {"scope/isa/families/a.cpp": '{.syntax = "add.[u32 s32]"}, {.syntax = "ld" SPACES}'}


class CheckOpcodes(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
            return done.returncode, done.stderr

    def test_rows_may_spell(self):
        self.assertEqual((0, ""), self.run_on(ROWS))

    def test_passes_may_not(self):
        status, text = self.run_on(ROWS | {"scope/isa/lower/b.cpp": '\nif (opcode == "ld") return;\n'})
        self.assertEqual(1, status)
        self.assertIn('scope/isa/lower/b.cpp:2: "ld" is an opcode', text)

    def test_nor_with_a_modifier(self):
        self.assertEqual(1, self.run_on(ROWS | {"scope/machine/b.h": 'find("add.u32");\n'})[0])

    def test_modifiers_and_comments_are_left_alone(self):
        text = 'form.has("add"); form.one_of({"add", "min"});  // as in "add"\n'
        self.assertEqual((0, ""), self.run_on(ROWS | {"scope/isa/lower/b.cpp": text}))

    def test_no_rows_is_a_finding(self):
        self.assertEqual(1, self.run_on({"scope/isa/lower/b.cpp": "\n"})[0])


unittest.main()
