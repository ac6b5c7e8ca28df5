"""check_words.py on small trees made for the purpose. usage: check_words_test.py SCRIPTS_FOLDER"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)) / "check_words.py"
FILE = "scope/session/a.cpp"


class CheckWords(unittest.TestCase):
    def run_on(self, text, file=FILE):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
            return done.returncode, done.stdout

    def assert_red(self, text, line, file=FILE):
        status, told = self.run_on(text, file)
        self.assertEqual(1, status, told)
        self.assertIn(f"{file}:{line}: a sentence", told)

    def assert_green(self, text, file=FILE):
        self.assertEqual((0, ""), self.run_on(text, file))

    def test_a_sentence_is_seen(self):
        self.assert_red('int a;\nhazard.message = "nothing orders the two";\n', 2)
        self.assert_red('text += fmt::format("add {} between line {} and line {}", what, low, high);\n', 1,
                        "scope/models/pages/verdict.cpp")
        self.assert_red('void tell() {\n    return "the host copies\\n" \n        "them";\n}\n', 2, "scope/observers/hazards/b.h")

    def test_other_rooms_may_speak(self):
        self.assert_green('text = "nothing orders the two";\n', "scope/views/words/hazards.cpp")

    def test_names_are_no_sentence(self):
        self.assert_green('f("cudaMemcpy", "byte {}", "unsigned long long", "a.b", "%s: %d\\n");\n')
        self.assert_green("// it says so in words\nint a;  /* and here as well */\n")

    def test_diagnostics_may(self):
        self.assert_green('note(Diagnostic{Severity::kWarning, "code", {}, "that was too much", {}});\n')
        self.assert_green('return error("code", {}, "there is no such file", "name another one of them");\n')
        # The next statement is one of its own.
        self.assert_red('note(Diagnostic{Severity::kNote, "a", {}, text, {}});\ntext = "that was too much";\n', 2)

    def test_a_reason_is_given(self):
        self.assert_green('row.name = "dynamic shared memory";  // words: a name\n')
        self.assert_green('// words: a name\nrow.name = "dynamic shared memory";\n')
        self.assert_red('row.name = "dynamic shared memory";  // words:\n', 1)

    def test_files_that_are_kept_must_speak(self):
        file = "scope/session/launch/limits.cpp"
        self.assert_green('text = "a block of so many threads";\n', file)
        status, told = self.run_on("int a;\n", file)
        self.assertEqual(1, status)
        self.assertIn("says nothing any more", told)

    def assert_dropped(self, text, line, word, file):
        status, told = self.run_on(text, file)
        self.assertEqual(1, status, told)
        self.assertIn(f"{file}:{line}: ", told)
        self.assertIn(f"is called {word} ", told)

    def test_dropped_words_do_not_come_back(self):
        words = "scope/views/words/advice.cpp"
        self.assert_dropped('int a;\ntext = "8 blocks; limited by threads";\n', 2, "limited by warps", words)
        self.assert_dropped('text = "take 2.0 passes through the banks";\n', 1, "wavefront", words)
        self.assert_dropped('text = "bytes of device memory";\n', 1, "DRAM", "scope/report/work.h")
        self.assert_dropped("# A\n\nWhat is read of device\nmemory.\n", 3, "DRAM", "docs/internals/time-model.md")
        self.assert_dropped("shared loads take 32.0 passes through…\n", 1, "wavefront", "README.md")

    def test_words_with_another_meaning_stay(self):
        self.assert_green('text = "one pass for each address of constants";\n', "scope/views/words/advice.cpp")
        self.assert_green("// bytes of device memory\nint a;\n", "scope/views/words/advice.cpp")
        self.assert_green("What the host copies from device memory.\n", "docs/reference/hazards.md")
        self.assert_green("A level of memory is no device memory.\n", "docs/reference/words.md")

    def test_exceptions_must_be_needed(self):
        status, told = self.run_on("Nothing of the kind.\n", "docs/reference/hazards.md")
        self.assertEqual(1, status)
        self.assertIn("needs it no more", told)


unittest.main()
