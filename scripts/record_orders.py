#!/usr/bin/env python3
"""Asks ptxas which orders of an instruction's modifiers it accepts, and writes the verdicts to tests/isa/orders_ptxas.txt.

usage: record_orders.py ROW_TEXTS [PTXAS]

ROW_TEXTS is the built program tilescope_row_texts. Instructions are chosen so that each two elements of each instruction
descriptor's syntax occur together. All orders of up to six modifiers are tried; of more modifiers each one is moved to
each place, and some orders are drawn. Standard library only.
"""
import collections
import itertools
import pathlib
import re
import sys
import tempfile

from record_targets import ask, is_of_operands, repaired, texts_with_syntax

VERDICTS = pathlib.Path(__file__).resolve().parent.parent / "tests/isa/orders_ptxas.txt"
VERSION = "9.0"
TARGETS = ("sm_90a", "sm_100a")  # the first of them that takes an instruction
ALL_ORDERS_UP_TO = 6
DRAWN = 60
AT_ONCE = 1500
FREE = "free"  # stands for the verdicts of an instruction all of whose orders are accepted


def orders_of(count):
    """The orders that are tried, each as a list of places: tests/isa/modifier_orders_test.cpp makes the same list."""
    if count <= ALL_ORDERS_UP_TO:
        return list(itertools.permutations(range(count)))
    orders = [tuple(range(count))]
    for taken in range(count):
        for place in range(count):
            if taken != place:
                rest = [word for word in range(count) if word != taken]
                orders.append(tuple(rest[:place] + [taken] + rest[place:]))
    state = count
    for _ in range(DRAWN):
        words = list(range(count))
        for last in range(count - 1, 0, -1):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            other = (state >> 33) % (last + 1)
            words[last], words[other] = words[other], words[last]
        orders.append(tuple(words))
    return orders


def elements_of(syntax):
    """{word: the element of the syntax that it belongs to}"""
    return {word: element for element in re.findall(r"\[[^]]*\]|[^.{}\[\]~]+", syntax.partition(".")[2])
            for word in element.strip("[]").split(" ")}


def chosen(rows):
    """Instructions in which each two elements of a syntax occur together, the longest first."""
    by_syntax = collections.defaultdict(list)
    for syntax, operands, text in rows:
        by_syntax[(syntax, operands)].append(text)
    texts = []
    for (syntax, _), candidates in by_syntax.items():
        elements, met = elements_of(syntax), set()
        for text in sorted(candidates, key=lambda text: (-text.split(" ")[0].count("."), text)):
            words = [elements.get(word, word) for word in text.split(" ")[0].split(".")[1:]]
            pairs = set(itertools.combinations(words, 2))
            if pairs - met:
                met |= pairs
                texts.append(text)
    return list(dict.fromkeys(texts))


def told_of(ptxas, target, texts, folder):
    """What ptxas says of each text."""
    told, items = {}, list(enumerate(texts))
    for at in range(0, len(items), AT_ONCE):
        told |= ask(ptxas, VERSION, target, target, items[at:at + AT_ONCE], folder)
    return [told.get(at, []) for at, _ in items]


def accepted_texts(ptxas, texts, folder):
    """{target: texts that it takes, with operands that ptxas wants}"""
    taken = {}
    for target in TARGETS:
        for _ in range(2):
            told = told_of(ptxas, target, texts, folder)
            texts = [repaired(text, words or []) if any(map(is_of_operands, words or [])) else text
                     for text, words in zip(texts, told)]
        told = told_of(ptxas, target, texts, folder)
        taken[target] = [text for text, words in zip(texts, told) if words == []]
        texts = [text for text, words in zip(texts, told) if words != []]
    return taken, texts


def reordered(text, order):
    spelling, space, operands = text.partition(" ")
    opcode, *words = spelling.split(".")
    return ".".join([opcode] + [words[place] for place in order]) + space + operands


def verdicts_of(bits):
    if "0" not in bits:
        return FREE
    return "".join(f"{int(bits[at:at + 4].ljust(4, '0'), 2):x}" for at in range(0, len(bits), 4))


def main():
    ptxas = sys.argv[2] if len(sys.argv) > 2 else "ptxas"
    texts = chosen(texts_with_syntax(sys.argv[1]))
    lines = [line for line in VERDICTS.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    asked = 0
    with tempfile.TemporaryDirectory() as folder:
        taken, refused = accepted_texts(ptxas, texts, folder)
        for target, accepted in taken.items():
            orders = [(text, order) for text in accepted for order in orders_of(text.split(" ")[0].count("."))]
            told = told_of(ptxas, target, [reordered(text, order) for text, order in orders], folder)
            bits = collections.defaultdict(str)
            for (text, _), words in zip(orders, told):
                bits[text] += "0" if words else "1"
            lines += [f"{target} {verdicts_of(bits[text])} {text}".rstrip() for text in sorted(accepted) if len(bits[text]) > 1]
            asked += len(orders)
    VERDICTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{asked} orders of {len(lines)} instructions; ptxas refuses {len(refused)} instructions in the usual order:")
    print("\n".join(refused))


if __name__ == "__main__":
    main()
