#!/usr/bin/env python3
"""Holds advice to what follows it: kernels before and after one advised change, and kernels that need none.

usage: check_pairs.py TILESCOPE PROGRAM FOLDER    runs pairs/PROGRAM on the card that was measured; its profile goes to FOLDER
       check_pairs.py --table FOLDER              what all profiles there say, beside what the card took

The table has for each pair what the change saves on the card (pairs.json), what the model says it saves, and what the
advice promised: of the rule that the list expects, or of one that an expert might name there as well. A promise is kept
when it is within a quarter of the card's gain. How many are, and which good kernels get advice all the same, may get
better and never worse. Kernels are launched twice: the second launch finds L2 warm, as on the card. Pairs about copies
and launches are held by the program's advice, whose microseconds are those of both rounds. Exit status 1 otherwise.
Standard library only.
"""
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "pairs"
CARDS = ("h100", "h200")  # that pairs were measured on: each file on one of them
WITHIN = 0.25
ROUNDS = 2
LEAST_KEPT = 40  # of 66: 27 November 2026
ADVISED = set()  # good kernels that get advice, and should not


def run(tilescope, program, folder):
    os.makedirs(folder, exist_ok=True)
    profile = os.path.join(folder, program + ".json")
    if os.path.exists(profile):
        os.remove(profile)
    done = subprocess.run([tilescope, "run", "-q", "--warm", "--compiler", "nvcc", "--device", card_of(listed_of(program)[0]), "--json", profile, HERE / program],
                          capture_output=True, text=True, env={**os.environ, "PAIRS_ROUNDS": str(ROUNDS)})
    wanted = {one["name"] for one in listed_of(program)}
    right = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("ok ")}
    missing = {name for name in wanted if not any(said.startswith(name) for said in right)}
    if done.returncode != 0 or missing:
        sys.exit(f"{program}: exit status {done.returncode}, not right: {sorted(missing)}\n{done.stdout}{done.stderr}")


def pairs():
    return json.load(open(HERE / "pairs.json"))


def card_of(one):
    return next(card for card in CARDS if any(key.startswith(card) for key in one))


def listed_of(program):
    all_of_them = pairs()
    return [one for one in all_of_them["pairs"] + all_of_them["good"] if one["file"] == program]


class Profiles:
    """The last launch of each kernel, by file and name, and what is said of whole programs."""

    def __init__(self, folder):
        self.folder, self.read = folder, {}

    def of(self, program):
        if program not in self.read:
            profile = json.load(open(os.path.join(self.folder, program + ".json")))
            kernels = {}
            for launch in profile["launches"]:
                name = launch["kernel"].split("(")[0].split("<")[0].split()[-1].rpartition("::")[2]
                kernels[name] = launch
            self.read[program] = kernels, profile.get("advice", [])
        return self.read[program]

    def launch(self, program, kernel):
        return self.of(program)[0][kernel]

    def about_program(self, pair):
        """Of one round: about the pair's line, or its kernel."""
        return [{**advice, "saves_microseconds": advice["saves_microseconds"] / ROUNDS}
                for advice in self.of(pair["file"])[1]
                if advice["line"] == pair["line"] or f"{pair['name']}_before(" in advice["facts"].get("kernel", "")]


def promise(advice, pair):
    """Rule and microseconds of the advice that is expected; nothing where there is none."""
    for rule in [pair["rule"], *pair.get("also", [])]:
        for one in advice:
            if one["rule"] == rule and one.get("saves_microseconds"):
                return rule, one["saves_microseconds"]
    return "", None


def table(folder):
    profiles, listed = Profiles(folder), pairs()
    kept = 0
    print(f"{'pair':22}{'rule':15}{'card saves':>11}{'model says':>11}{'promised':>10}  µs")
    for pair in listed["pairs"]:
        before, after = (profiles.launch(pair["file"], f"{pair['name']}_{side}") for side in ("before", "after"))
        measured = card_of(pair)
        card = pair[f"{measured}_before_us"] - pair[f"{measured}_after_us"]
        by_host = pair.get("clock") == "host"
        model = "" if by_host else f"{before['time']['microseconds'] - after['time']['microseconds']:.1f}"
        rule, promised = promise(profiles.about_program(pair) if by_host else before.get("advice", []), pair)
        is_kept = promised is not None and abs(promised - card) <= WITHIN * card
        kept += is_kept
        said = "-" if promised is None else f"{promised:.1f}"
        print(f"{pair['name']:22}{pair['rule']:15}{card:11.1f}{model:>11}{said:>10}  {'kept' if is_kept else ''}"
              f"{'' if rule in ('', pair['rule']) else ' by ' + rule}")
    advised = {good["name"] for good in listed["good"] if profiles.launch(good["file"], good["name"]).get("advice")}
    print(f"{kept} of {len(listed['pairs'])} promises within a quarter (at least {LEAST_KEPT})")
    print(f"{len(advised)} of {len(listed['good'])} good kernels get advice: {', '.join(sorted(advised)) or 'none'}")
    return 1 if kept < LEAST_KEPT or advised - ADVISED else 0


def main():
    if sys.argv[1:2] == ["--table"]:
        sys.exit(table(sys.argv[2]))
    run(*sys.argv[1:4])


if __name__ == "__main__":
    main()
