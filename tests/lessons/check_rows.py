"""Holds the rows that lessons name against lessons/concepts.json and against the gaps that are known.

usage: check_rows.py LESSONS

tests/lessons/gaps.txt lists the ids that no lesson proves yet. It must be exact: a row that is proved and still listed
fails, and so does one that is neither. Concepts with "later" need no lesson.
"""
import json
import pathlib
import sys


def main():
    lessons = pathlib.Path(sys.argv[1])
    concepts = json.loads((lessons / "concepts.json").read_text(encoding="utf-8"))["concepts"]
    ids = [concept["id"] for concept in concepts]
    later = {concept["id"] for concept in concepts if concept.get("later")}
    gaps = set((pathlib.Path(__file__).parent / "gaps.txt").read_text(encoding="utf-8").split())
    problems = [f"concepts.json has {each} twice" for each in sorted(set(ids)) if ids.count(each) > 1]
    proved = {}
    for file in sorted(lessons.glob("*/lesson.json")):
        for number, claim in enumerate(json.loads(file.read_text(encoding="utf-8"))["claims"]):
            for row in claim["rows"]:
                proved.setdefault(row, file.parent.name)
                if row not in ids:
                    problems.append(f"{file.parent.name}: claims[{number}] names {row}, which concepts.json does not have")
    for row in ids:
        if row in proved and row in gaps:
            problems.append(f"{row} is proved by {proved[row]}: take it out of tests/lessons/gaps.txt")
        if row not in proved and row not in gaps and row not in later:
            problems.append(f"{row} is proved by no lesson")
        if row in later and row in gaps:
            problems.append(f"{row} is kept for later: it is no gap")
    problems += [f"gaps.txt names {row}, which concepts.json does not have" for row in sorted(gaps - set(ids))]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(proved)} of {len(ids)} rows are proved, {len(gaps)} are gaps, {len(later)} for later")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
