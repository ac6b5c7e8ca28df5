"""A profile as plain objects: launches, metrics, lines, hazards, advice."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from . import program

Shape = Tuple[int, int, int]


def _extent(shape: Shape) -> str:
    x, y, z = shape
    return f"{x}×{y}×{z}" if z > 1 else f"{x}×{y}" if y > 1 else str(x)


@dataclass(frozen=True)
class Metric:
    """What a counter, ratio or fact is."""

    name: str
    kind: str  # "counter", "ratio" or "fact"
    unit: str
    description: str
    modelled: bool = False


@dataclass(frozen=True)
class Hazard:
    """Something wrong that a kernel did."""

    kind: str  # "race", "out-of-bounds", ...
    message: str
    hint: str
    kernel: str
    file: str
    line: int  # 0: not known
    other_file: str
    other_line: int
    count: int
    block: Shape
    thread: Shape
    severity: str


@dataclass(frozen=True)
class Advice:
    """A finding worth acting on."""

    rule: str
    message: str
    file: str
    line: int  # 0: the kernel as a whole
    speedup: float  # of the launch or program
    saves_microseconds: Optional[float]  # modelled


@dataclass(frozen=True)
class Line:
    """Counters of one line of source."""

    file: str
    line: int
    counters: Mapping[str, int]

    def __getitem__(self, name: str) -> int:
        return self.counters.get(name, 0)


@dataclass(frozen=True, repr=False)
class Launch:
    """One launch of a kernel. `launch[NAME]` is a metric by our name or the profiler's."""

    index: int
    kernel: str  # with its parameters
    entry: str  # as in the PTX
    grid: Shape
    block: Shape
    registers: int
    static_shared_bytes: int
    dynamic_shared_bytes: int
    sampled: bool
    counters: Mapping[str, int]
    lines: List[Line]
    hazards: List[Hazard]
    advice: List[Advice]
    microseconds: Optional[float]  # modelled
    bound: Optional[str]
    raw: Mapping[str, Any] = field(repr=False)
    profile: "Profile" = field(repr=False, compare=False)
    position: int = field(repr=False)  # in profile.launches

    def __repr__(self) -> str:
        time = "no time" if self.microseconds is None else f"{self.microseconds:.1f} µs modeled"
        found = f", {len(self.hazards)} hazards" if self.hazards else ""
        return f"<Launch {self.index}: {self.name}, grid {_extent(self.grid)}, block {_extent(self.block)}, {time}{found}>"

    @property
    def name(self) -> str:
        """Without template arguments and parameters: "ns::tiled"."""
        anonymous = "(anonymous namespace)"
        text, depth = "", 0
        for letter in self.kernel.removeprefix("void ").replace(anonymous, "\0"):
            if letter == "(" and depth == 0:
                break
            depth += letter == "<"
            text += letter if depth == 0 else ""
            depth -= letter == ">"
        return text.replace("\0", anonymous)

    def __getitem__(self, name: str) -> float:
        """KeyError: there is no such metric, or it has no value in this launch."""
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def get(self, name: str, default: Optional[float] = None) -> Optional[float]:
        ours = self.profile.our_name(name)
        if ours in self.counters:
            return self.counters[ours]
        return self.profile.figures()[self.position].get(ours, default)

    @property
    def metrics(self) -> Dict[str, float]:
        """All that have a value: counters, ratios, facts."""
        return {**self.counters, **self.profile.figures()[self.position]}


@dataclass(repr=False)
class Profile:
    """What `tilescope run --json` wrote."""

    path: str
    version: str
    device: str
    program: str
    compiler: str
    outcome: str
    ended: str
    launches: List[Launch]
    hazards: List[Hazard]  # of the run rather than of a launch
    advice: List[Advice]  # likewise
    raw: Mapping[str, Any] = field(repr=False)
    _asked: Optional[Dict[str, Any]] = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"<Profile {self.path}: {len(self.launches)} launches of {self.program} on {self.device}, {self.outcome}>"

    def __iter__(self) -> Iterator[Launch]:
        return iter(self.launches)

    def all_hazards(self) -> List[Hazard]:
        return [hazard for launch in self.launches for hazard in launch.hazards] + self.hazards

    def our_name(self, name: str) -> str:
        """Ours for a name of the profiler's that means the same; the name itself otherwise."""
        for ours, theirs in self.raw.get("profiler_names", {}).items():
            if theirs == name:
                return str(ours)
        if "__" in name:
            for row in self._of_program()["profiler"]:
                if row["theirs"] == name and "differs" not in row:
                    return str(row["ours"])
        return name

    def profiler_names(self) -> Dict[str, str]:
        """{theirs: ours} of all that mean the same."""
        return {row["theirs"]: row["ours"] for row in self._of_program()["profiler"] if "differs" not in row}

    def metric_descriptions(self) -> Dict[str, Metric]:
        return {name: Metric(name, row["kind"], row["unit"], row["description"], row.get("modelled", False))
                for name, row in self._of_program()["metrics"].items()}

    def figures(self) -> List[Dict[str, float]]:
        """Ratios and facts of each launch, as the program works them out."""
        return list(self._of_program()["launches"])

    def _of_program(self) -> Dict[str, Any]:
        if self._asked is None:
            answer = program.call(["generate-metrics", self.path])
            if answer.returncode != 0:
                raise program.ProgramError(answer.stderr.strip())
            self._asked = json.loads(answer.stdout)
        return self._asked


def _shape(values: Any) -> Shape:
    x, y, z = (list(values or []) + [0, 0, 0])[:3]
    return int(x), int(y), int(z)


def _hazard(row: Mapping[str, Any], kernel: str = "") -> Hazard:
    return Hazard(row["kind"], row.get("message", ""), row.get("hint", ""), row.get("kernel", kernel), row.get("file", ""),
                  row.get("line", 0), row.get("other_file", ""), row.get("other_line", 0), row.get("count", 1),
                  _shape(row.get("block")), _shape(row.get("thread")), row.get("severity", "error"))


def _advice(row: Mapping[str, Any]) -> Advice:
    return Advice(row["rule"], row.get("message", ""), row.get("file", ""), row.get("line", 0), row.get("speedup", 1.0),
                  row.get("saves_microseconds"))


def _launch(row: Mapping[str, Any], profile: Profile) -> Launch:
    time = row.get("time") or {}
    return Launch(row["index"], row["kernel"], row["entry"], _shape(row["grid"]), _shape(row["block"]),
                  row.get("registers_per_thread", 0), row.get("static_shared_bytes", 0), row.get("dynamic_shared_bytes", 0),
                  row.get("sampled", False), row.get("counters", {}),
                  [Line(line["file"], line["line"], line.get("counters", {})) for line in row.get("lines", [])],
                  [_hazard(hazard, row["kernel"]) for hazard in row.get("hazards", [])],
                  [_advice(advice) for advice in row.get("advice", [])], time.get("microseconds"), time.get("bound"), row, profile, len(profile.launches))


def load(path: "str | os.PathLike[str]") -> Profile:
    """A profile by its path. ValueError where the file is none."""
    with open(path, encoding="utf-8") as file:
        raw = json.load(file)
    if not isinstance(raw, dict) or raw.get("schema") != 1:
        raise ValueError(f"{os.fspath(path)} is no profile of schema 1")
    profile = Profile(os.fspath(path), raw.get("tilescope", ""), raw.get("device", ""), raw.get("program", ""),
                      raw.get("compiler", ""), raw.get("outcome", ""), raw.get("ended", ""), [],
                      [_hazard(row) for row in raw.get("hazards", [])], [_advice(row) for row in raw.get("advice", [])], raw)
    for row in raw.get("launches", []):
        profile.launches.append(_launch(row, profile))
    return profile
