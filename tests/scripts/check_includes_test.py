"""scripts/check_includes.py on small trees made for the purpose. usage: check_includes_test.py SCRIPTS_FOLDER"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)) / "check_includes.py"


class CheckIncludes(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
            return done.returncode, done.stderr

    def test_left_is_allowed(self):
        self.assertEqual((0, ""), self.run_on({"scope/ptx/lexer.cpp": '#include "scope/base/result.h"\n#include <vector>\n'}))

    def test_own_room_is_allowed(self):
        self.assertEqual((0, ""), self.run_on({"scope/machine/simd/a.h": '#include "scope/machine/warp.h"\n'}))

    def test_right_is_refused_with_file_and_line(self):
        status, text = self.run_on({"scope/base/a.h": '#pragma once\n#include "scope/report/json.h"\n'})
        self.assertEqual(1, status)
        self.assertIn("scope/base/a.h:2: base must not know scope/report/json.h", text)

    def test_spaces_do_not_hide_an_include(self):
        status, text = self.run_on({"scope/machine/a.cpp": '  #  include   "scope/isa/table/row.h"\n'})
        self.assertEqual(1, status)
        self.assertIn("scope/machine/a.cpp:1", text)

    def test_one_header_of_a_room(self):
        self.assertEqual((0, ""), self.run_on({"scope/isa/a.h": '#include "scope/report/counters.h"\n'}))
        self.assertEqual(1, self.run_on({"scope/isa/a.h": '#include "scope/report/profile.h"\n'})[0])

    def test_a_name_that_only_begins_alike_is_another_room(self):
        self.assertEqual(1, self.run_on({"scope/ptx/a.h": '#include "scope/baseline/a.h"\n'})[0])

    def test_a_room_within_a_room_has_its_own_line(self):
        self.assertEqual((0, ""), self.run_on({"scope/isa/families/a.h": '#include "scope/isa/table/row.h"\n'}))
        status, text = self.run_on({"scope/isa/families/a.h": '#include "scope/isa/lower/lowering.h"\n'})
        self.assertEqual(1, status)
        self.assertIn("scope/isa/families/a.h:1: isa/families must not know scope/isa/lower/lowering.h", text)
        self.assertEqual(1, self.run_on({"scope/isa/table/deep/a.h": '#include "scope/isa/families/a.h"\n'})[0])
        self.assertEqual((0, ""), self.run_on({"scope/isa/a.h": '#include "scope/isa/lower/lowering.h"\n'}))

    def test_relative_includes_are_refused(self):
        self.assertEqual(1, self.run_on({"scope/ptx/a.cpp": '#include "lexer.h"\n'})[0])

    def test_what_is_called_is_included(self):
        call = "int least(int a) { return std::min(a, 3); }  // std::sqrt\n"
        status, text = self.run_on({"scope/base/a.cpp": "#include <vector>\n" + call})
        self.assertEqual(1, status)
        self.assertIn("scope/base/a.cpp:2: std::min without #include <algorithm>", text)
        self.assertEqual((0, ""), self.run_on({"scope/base/a.cpp": "#include <algorithm>\n" + call}))
        header = {"scope/base/a.h": "#include <algorithm>\n", "scope/base/a.cpp": '#include "scope/base/a.h"\n' + call}
        self.assertEqual((0, ""), self.run_on(header))

    def test_unknown_room(self):
        self.assertEqual(1, self.run_on({"scope/attic/a.cpp": "\n"})[0])

    def test_headers_for_user_programs_are_left_alone(self):
        self.assertEqual((0, ""), self.run_on({"scope/image/include/cuda_runtime.h": '#include "host_defines.h"\n'}))

    def test_depends(self):
        room = "tilescope_room(ptx\n  SOURCES a.cpp\n  DEPENDS base {}\n  LINK fmt::fmt)\n"
        self.assertEqual((0, ""), self.run_on({"scope/ptx/CMakeLists.txt": room.format("")}))
        status, text = self.run_on({"scope/ptx/CMakeLists.txt": "\n" + room.format("machine")})
        self.assertEqual(1, status)
        self.assertIn("scope/ptx/CMakeLists.txt:2: ptx must not depend on machine", text)

    def test_depends_on_a_part_of_a_room(self):
        room = "tilescope_room({}\n  SOURCES a.cpp\n  DEPENDS session_options)\n"
        self.assertEqual(0, self.run_on({"scope/cli/CMakeLists.txt": room.format("cli")})[0])
        self.assertEqual(1, self.run_on({"scope/report/CMakeLists.txt": room.format("report")})[0])

    def test_depends_of_rooms_within_a_room(self):
        parts = "tilescope_room(isa_lower\n  DEPENDS base {})\ntilescope_room(isa\n  DEPENDS base isa_lower)\n"
        self.assertEqual((0, ""), self.run_on({"scope/isa/CMakeLists.txt": parts.format("isa_table")}))
        for wrong in ("isa_families", "isa", "observers"):
            status, text = self.run_on({"scope/isa/CMakeLists.txt": parts.format(wrong)})
            self.assertEqual(1, status)
            self.assertIn(f"scope/isa/CMakeLists.txt:1: isa/lower must not depend on {wrong}", text)

    def test_tiles_have_directions_of_their_own(self):
        self.assertEqual((0, ""), self.run_on({
            "tiles/plan/registry.cpp": '#include "tiles/src/kernel.h"\n#include "tiles/tuning/sm90.h"\n',
            "tiles/src/a.cu": '#include "tiles/gemm.h"\n#include "tiles/kernels/a.cuh"\n',
            "tiles/include/tiles/gemm.h": '#include "tiles/status.h"\n',
            "tiles/tool/main.cpp": '#include "tiles/tool/reference.h"\n#include "tiles/plan/registry.h"\n'}))

    def test_tiles_below_must_not_know_what_is_above(self):
        for folder, header in [("src", "plan/cost_model.h"), ("tuning", "src/problem.h"), ("kernels", "src/launch.h"),
                               ("kernels", "tuning/sm90.h"), ("include/tiles", "src/problem.h"), ("plan", "tool/a.h")]:
            for name in ("a.h", "a.cu", "a.cuh", "a.cpp"):
                status, text = self.run_on({f"tiles/{folder}/{name}": f'\n#include "tiles/{header}"\n'})
                self.assertEqual(1, status, (folder, header))
                self.assertIn(f"tiles/{folder}/{name}:2: tiles/{folder.split('/')[0]} must not know tiles/{header}", text)

    def test_tiles_know_nothing_of_scope(self):
        self.assertEqual(1, self.run_on({"tiles/src/a.h": '#include "scope/base/result.h"\n'})[0])
        self.assertEqual(1, self.run_on({"tiles/src/a.h": '#include "launch.h"\n'})[0])

    def test_unknown_folder_of_tiles(self):
        self.assertEqual(1, self.run_on({"tiles/attic/a.h": "\n"})[0])


unittest.main()
