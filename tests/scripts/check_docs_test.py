"""Tests check_docs.py on small trees. usage: check_docs_test.py SCRIPTS_FOLDER"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)) / "check_docs.py"
PAGE = "docs/guide/a.md"
PROGRAM = {"scope/cli/run.cpp": 'add_flag("-q,--quiet", quiet, "print less");\n',
           "docs/reference/profile.md": "| `launches[].time.bound` | text |\n"}


class CheckDocs(unittest.TestCase):
    def run_on(self, text, **more):
        files = {**PROGRAM, PAGE: text, "docs/budgets.txt": f"50 {PAGE}\ngenerated docs/reference/profile.md\n"}
        files.update({name.replace("__", "/").replace("_txt", ".txt"): value for name, value in more.items()})
        with tempfile.TemporaryDirectory() as folder:
            for name, value in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(value)
            subprocess.run("git init -q && git add -A", shell=True, check=True, cwd=folder)
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
            return done.returncode, done.stderr

    def assert_error(self, text, line, words, **more):
        status, printed = self.run_on(text, **more)
        self.assertEqual(1, status, printed)
        self.assertIn(f"{PAGE}:{line}: {words}", printed)

    def assert_passes(self, text, **more):
        self.assertEqual((0, ""), self.run_on(text, **more))

    def test_link_to_missing_file_or_heading(self):
        self.assert_error("# A\n\n[b](b.md)\n", 3, "link: b.md is not there")
        self.assert_error("# A\n\n[b](#b)\n", 3, "link: ")
        self.assert_passes("# A\n\n[a](#a)\n")

    def test_page_over_its_budget(self):
        self.assert_error("word. " * 51, 1, "budget: 51 words, more than the 50")
        self.assert_passes("```\n" + "word. " * 60 + "\n```\n")
        self.assert_error("# A\n", 1, "budget: not in", docs__budgets_txt="generated docs/reference/profile.md\n")

    def test_long_sentence(self):
        self.assert_error("word " * 31 + ".\n", 1, "sentence: a sentence of 31 words")
        self.assert_passes("word " * 20 + ". " + "word " * 20 + ".\n")
        self.assert_passes("One of " + ", ".join(["`a`"] * 40) + ".\n")

    def test_construction_that_reads_twice(self):
        self.assert_error("What is asked for twice comes once.\n", 1, "construction: ")
        self.assert_error("| a |\n|---|\n| the bytes lie there |\n", 3, 'construction: "lie"')
        self.assert_passes("# What is counted\n\nThis page says what is counted.\n\nWhat does it cost?\n")

    def test_term_that_another_replaces(self):
        self.assert_error("Run it on the card.\n", 1, 'term: "card": GPU')
        self.assert_error("It takes 4 sectors a request.\n", 1, 'term: "sectors a request": per')
        self.assert_passes("`card` and `modelled` are keys.\n")

    def test_option_that_the_program_lacks(self):
        self.assert_error("Use `tilescope run --loud a.cu`.\n", 1, "option: tilescope has no option --loud")
        self.assert_error("```\ntilescope run --loud a.cu\n```\n", 2, "option: ")
        self.assert_passes("Use `tilescope run --quiet a.cu -- --loud`.\n")

    def test_key_that_the_profile_lacks(self):
        self.assert_error("See `time.limit`.\n", 1, "key: the JSON has no key limit")
        self.assert_error('See `"limit"`.\n', 1, "key: ")
        self.assert_passes('See `time.bound`, `"bound"` and `cp.async`.\n')

    def test_exceptions_have_a_count_and_a_reason(self):
        page = "Run it on the card.\n"
        self.assert_passes(page, docs__exceptions_txt="term docs/guide/* 1  # quoted\n")
        status, printed = self.run_on(page, docs__exceptions_txt="term docs/guide/* 1\n")
        self.assertIn("has no reason", printed)
        status, printed = self.run_on("A page.\n", docs__exceptions_txt="term docs/guide/* 1  # quoted\n")
        self.assertIn("is no longer needed", printed)
        self.assert_error(page + "\nIt is a card.\n", 3, "term: ", docs__exceptions_txt="term docs/guide/* 1  # quoted\n")


if __name__ == "__main__":
    unittest.main()
