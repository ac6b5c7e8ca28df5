"""A profile in the shape of NVIDIA's ncu_report, so that scripts written for the profiler's reports read ours.

    import tilescope.ncu_report as ncu_report
    action = ncu_report.load_report("profile.json").range_by_idx(0).action_by_idx(0)
    action.metric_by_name("dram__bytes_read.sum").as_double()

A run is one range, a launch an action. metric_by_name() knows the profiler's names that have a counterpart here and our own,
and gives None for all others, as the profiler's does for what was not collected. Figures are in the profiler's units. Sources
are correlated by lines: the address of a line is its number among the action's lines, counted from 1.
"""
from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Optional, Union

from .profile import Launch, Profile, load

Value = Union[int, float, str]


def _scale(theirs: str) -> "tuple[float, str | None]":
    """From our unit to that of a name of the profiler's: (factor, its unit or None where it is ours)."""
    if "pct" in theirs:
        return 100.0, "%"
    if theirs == "gpu__time_duration.sum":
        return 1000.0, "nsecond"
    if theirs.endswith(".per_second"):
        return 1e9, "byte/second"
    return 1.0, None


class IMetric:
    """A figure; of a counter also its instances, one for each line that has some."""

    ValueKind_UINT64, ValueKind_DOUBLE, ValueKind_STRING = "UINT64", "DOUBLE", "STRING"

    def __init__(self, name: str, value: Value, unit: str = "", description: str = "",
                 instances: "Optional[Dict[int, Value]]" = None) -> None:
        self._name, self._value, self._unit, self._description = name, value, unit, description
        self._addresses = list(instances or {})
        self._values = list((instances or {}).values())

    def name(self) -> str:
        return self._name

    def unit(self) -> str:
        return self._unit

    def description(self) -> str:
        return self._description

    def kind(self) -> str:
        if isinstance(self._value, str):
            return self.ValueKind_STRING
        return self.ValueKind_UINT64 if isinstance(self._value, int) else self.ValueKind_DOUBLE

    def has_value(self, instance: Optional[int] = None) -> bool:
        return instance is None or 0 <= instance < len(self._values)

    def num_instances(self) -> int:
        return len(self._values)

    def has_correlation_ids(self) -> bool:
        return bool(self._addresses)

    def correlation_ids(self) -> "IMetric":
        """The instances' addresses, which source_info() takes."""
        return IMetric(self._name, len(self._addresses), "", "", dict(enumerate(self._addresses)))

    def value(self, instance: Optional[int] = None) -> Value:
        return self._value if instance is None else self._values[instance]

    def as_double(self, instance: Optional[int] = None) -> float:
        return float(self.value(instance))

    def as_uint64(self, instance: Optional[int] = None) -> int:
        return int(self.value(instance))

    def as_string(self, instance: Optional[int] = None) -> str:
        return str(self.value(instance))

    def __str__(self) -> str:
        return f"{self._name} ({self.kind()})"

    def __repr__(self) -> str:
        return f"<IMetric {self._name} = {self._value} {self._unit}>"


class ISourceInfo:
    def __init__(self, file: str, line: int) -> None:
        self._file, self._line = file, line

    def file_name(self) -> str:
        return self._file

    def line(self) -> int:
        return self._line


class IRuleResult:
    """Advice, as the profiler has its rules."""

    def __init__(self, rule: str, message: str, speedup: float, line: int) -> None:
        self._rule, self._message, self._speedup, self._line = rule, message, speedup, line

    def name(self) -> str:
        return self._rule

    def rule_identifier(self) -> str:
        return self._rule

    def section_identifier(self) -> str:
        return "tilescope"

    def rule_messages(self) -> "List[Dict[str, Any]]":
        return [{"title": self._rule, "message": self._message, "type": "optimization", "line": self._line,
                 "estimated_speedup": (1 - 1 / self._speedup) * 100 if self._speedup > 0 else 0.0}]


class IAction:
    NameBase_FUNCTION, NameBase_DEMANGLED, NameBase_MANGLED = "FUNCTION", "DEMANGLED", "MANGLED"

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._profile: Profile = launch.profile

    def name(self, base: str = "FUNCTION") -> str:
        if base == self.NameBase_MANGLED:
            return self._launch.entry
        return self._launch.kernel if base == self.NameBase_DEMANGLED else self._launch.name

    def metric_names(self) -> List[str]:
        """The profiler's and ours of all that have a value."""
        there = self._launch.metrics
        theirs = [name for name, ours in self._profile.profiler_names().items() if ours in there]
        return sorted(theirs) + sorted(there) + sorted(self._of_launch())

    def metric_by_name(self, name: str) -> Optional[IMetric]:
        made = self._of_launch().get(name)
        if made is not None:
            return IMetric(name, made)
        ours = self._profile.our_name(name)
        value = self._launch.get(ours)
        if value is None:
            return None
        about = self._profile.metric_descriptions()[ours]
        factor, unit = _scale(name) if name != ours else (1.0, None)
        instances: Dict[int, Value] = {address: line.counters[ours] for address, line in enumerate(self._launch.lines, 1)
                                       if ours in line.counters}
        scaled: Value = value if factor == 1.0 else value * factor
        if name.startswith("launch__") and scaled == int(scaled):
            scaled = int(scaled)  # whole numbers there
        return IMetric(name, scaled, unit or about.unit, about.description, instances)

    def __getitem__(self, name: str) -> IMetric:
        found = self.metric_by_name(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.metric_names())

    def __len__(self) -> int:
        return len(self.metric_names())

    def source_info(self, address: int) -> Optional[ISourceInfo]:
        if not 1 <= address <= len(self._launch.lines):
            return None
        line = self._launch.lines[address - 1]
        return ISourceInfo(line.file, line.line)

    def source_files(self) -> Dict[str, str]:
        """The text of each file that a line is of, "" where it is not there."""
        texts: Dict[str, str] = {}
        for line in self._launch.lines:
            if line.file not in texts:
                try:
                    with open(line.file, encoding="utf-8", errors="replace") as file:
                        texts[line.file] = file.read()
                except OSError:
                    texts[line.file] = ""
        return texts

    def ptx_by_pc(self, address: int) -> str:
        """The instructions of a line's PTX, a line each."""
        at = self.source_info(address)
        for code in self._profile.raw.get("ptx", []):
            if at is None or code.get("entry") != self._launch.entry:
                continue
            for row in code.get("lines", []):
                if row["line"] == at.line() and row["file"] == at.file_name():
                    return "\n".join(row.get("instructions", []))
        return ""

    def sass_by_pc(self, address: int) -> str:
        """There is no machine code here."""
        return ""

    def rule_results(self) -> List[IRuleResult]:
        return [IRuleResult(advice.rule, advice.message, advice.speedup, advice.line) for advice in self._launch.advice]

    def _of_launch(self) -> Dict[str, Value]:
        """What the profiler has as metrics of the launch itself."""
        launch = self._launch
        made: Dict[str, Value] = {"launch__function_name": launch.name}
        for axis, grid, block in zip("xyz", launch.grid, launch.block):
            made[f"launch__grid_dim_{axis}"], made[f"launch__block_dim_{axis}"] = grid, block
        made["launch__grid_size"] = launch.grid[0] * launch.grid[1] * launch.grid[2]
        made["launch__block_size"] = launch.block[0] * launch.block[1] * launch.block[2]
        made["launch__thread_count"] = int(made["launch__grid_size"]) * int(made["launch__block_size"])
        return made


class IRange:
    def __init__(self, profile: Profile) -> None:
        self._actions = [IAction(launch) for launch in profile.launches]

    def num_actions(self) -> int:
        return len(self._actions)

    def action_by_idx(self, index: int) -> Optional[IAction]:
        return self._actions[index] if 0 <= index < len(self._actions) else None

    def __getitem__(self, index: int) -> IAction:
        return self._actions[index]

    def __len__(self) -> int:
        return len(self._actions)

    def __iter__(self) -> Iterator[IAction]:
        return iter(self._actions)


class IContext:
    def __init__(self, profile: Profile) -> None:
        self._ranges = [IRange(profile)]

    def num_ranges(self) -> int:
        return len(self._ranges)

    def range_by_idx(self, index: int) -> Optional[IRange]:
        return self._ranges[index] if 0 <= index < len(self._ranges) else None

    def __getitem__(self, index: int) -> IRange:
        return self._ranges[index]

    def __len__(self) -> int:
        return len(self._ranges)

    def __iter__(self) -> Iterator[IRange]:
        return iter(self._ranges)


def load_report(path: "str | os.PathLike[str]") -> IContext:
    """A profile by its path."""
    return IContext(load(path))
