"""Checks the prose of a page: words, sentences, constructions and terms. check_docs.py uses it.

Guarantees: code blocks, code spans and generated tables don't count as prose. Standard library only.
"""
import re

LONGEST = 30  # words of a sentence
BEGIN, END = re.compile(r"<!-- (generated|rooms)\b.*-->"), re.compile(r"<!-- end of (generated|rooms)\b.*-->")
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")
SPAN = re.compile(r"`[^`]*`")
NAME = "\u00a7"  # stands for a code span: one word

# Constructions that readers have to read twice.
CONSTRUCTIONS = [
    (r"(?:^|[.;:] )What (?!is new)[^?]*[.:;]?$", "a clause that begins with a free-standing what"),
    (r"\b(?:of|by|for|to|in|and|is) what (?:is|are|was|were|has|have|had|comes|came|goes|stands|lies|they|it)\b",
     "a free-standing what"),
    (r"\bthat which\b", "that which"),
    (r"\bsuch as (?:have|has|are|is)\b", "such as have"),
    (r"\bbut for\b", "but for: write except"),
    (r"\bso many\b", "so many"),
    (r"\b(?:all|what|who|where) else\b", "all else, what else"),
    (r"\bof which there (?:is|are)\b", "of which there is"),
    (r"\b(?:that|it|this|which|what) (?:comes|came) to\b", "comes to"),
    (r"\bgo(?:es)? by\b", "goes by"),
    (r"\bstands?\b", "stands: write is, or has"),
    (r"\blies?\b(?! (?:about|to))", "lies: write is"),
    (r"\b(?:is|are|was) (?:told|led|had)\b", "is told, is led, is had"),
]
# Terms that a standard term replaces, and the standard term.
TERMS = [
    (r"\bcards?\b", "GPU"),
    (r"\b(?:bytes|sectors) (?:\w+ ){0,3}asked for\b|\bask(?:s|ed)? (?:for|of) (?:memory|L1|L2|DRAM|sectors|bytes)\b", "requested"),
    (r"\bbound by (?:writes|reads|L1|L2|DRAM)\b|\bthat binds\b", "limited by"),
    (r"\bdo first\b", "start with"),
    (r"\bspent on\b", "breakdown"),
    (r"\breplay of the caches\b", "cache simulation"),
    (r"\bother part of L2\b", "far L2 partition"),
    (r"\b(?:wavefronts|sectors|requests|passes|registers|threads|warps|blocks|FLOP) an? (?:request|warp|launch|thread|block|SM|cycle)\b", "per"),
    (r"\b(?:the|an?|each|every|this|these|other|mute|two|all) rooms?\b(?! for)", "module, directory"),
    (r"\bown counters\b|\bthe truth\b", "reference counters"),
    (r"\bmodell(?:ed|ing|s)\b", "modeled"),
    (r"\brefus(?:ed|es) by name\b", "unsupported"),
    (r"\blines under way\b|\bgives? way\b|\bgave way\b", "outstanding; replaced"),
    (r"(?<!compare-and-)\bswap loop\b", "compare-and-swap loop"),
    (r"\blawful\b|\bstranger'?s?\b|\bmend(?:s|ed)?\b|\bheld (?:against|to)\b", "in bounds, untrusted, fix, compared with"),
    (r"\bwarps stall\b", "stalls"),
    (r"\boptimis|\binitialis|\bneighbour|\bcolour|\bserialis", "US spelling"),
]
CONSTRUCTIONS = [(re.compile(pattern), say) for pattern, say in CONSTRUCTIONS]
TERMS = [(re.compile(pattern, re.I), say) for pattern, say in TERMS]


def prose_lines(text):
    """Yields (number, line) for lines that are neither code nor generated."""
    fenced = made = False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        if fence:
            fenced = not fenced
        if BEGIN.match(line):
            made = True
        elif END.match(line):
            made = False
        elif not fenced and not fence and not made:
            yield number, line


def word_count(text):
    return sum(1 for _, line in prose_lines(text) for word in line.split() if re.search(r"\w", word))


def pieces(text):
    """Yields (first line, text, kind) for each paragraph, item, heading and table cell, with code spans as NAME."""
    begin, held = 0, []
    for number, line in [*prose_lines(text), (0, "")]:
        line = SPAN.sub(NAME, re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", line))
        apart = not line.strip() or line.startswith(("#", "    ")) and not held or line.lstrip().startswith(("|", "<"))
        if held and (apart or ITEM.match(line)):
            yield begin, " ".join(held), "text"
            held = []
        if line.lstrip().startswith("|"):
            for cell in line.strip().strip("|").split("|"):
                if not re.fullmatch(r"[\s:-]*", cell):
                    yield number, cell.strip(), "cell"
        elif line.startswith("#"):
            yield number, line.lstrip("# "), "heading"
        elif not apart:
            begin = begin if held else number
            held.append(ITEM.sub("", line, count=1) if not held else line.strip())


def sentences(text):
    """Splits at full stops, colons and question marks. Entries of a list that semicolons separate count alone."""
    text = re.sub(r"\((?:[^()]|\([^()]*\))*\)", "", text)  # readers may skip brackets
    text = re.sub(rf"{NAME}(?:(?:, (?:and |or )?| and | or ){NAME})+", NAME, text)
    for sentence in re.split(r"(?<=[.?!:])\s+(?=\W*\w)", text):
        yield from sentence.split("; ") if sentence.count("; ") > 1 else [sentence]


def is_asked(sentence, found):
    """Whether the sentence is an indirect question, as in "this page says what is counted"."""
    return "what" in found[0].lower() and re.search(r"\b(?:says?|shows?|asks?|explains?|knows?|learn|see|tells?)\b", sentence[:found.start() + 1])


def problems(text):
    """(line, kind, what is wrong)"""
    for number, piece, kind in pieces(text):
        for sentence in sentences(piece.replace("; ", ". ") if kind == "cell" else piece):
            words = [word for word in sentence.split() if re.search(rf"\w|{NAME}", word)]
            if len(words) > LONGEST:
                yield number, "sentence", f"a sentence of {len(words)} words, more than {LONGEST}: {' '.join(words[:8])} …"
            for pattern, say in CONSTRUCTIONS if kind != "heading" else []:
                found = pattern.search(sentence.strip())
                if found and not is_asked(sentence, found):
                    yield number, "construction", f'"{found[0][:60]}": {say}'
        for pattern, say in TERMS:
            if found := pattern.search(piece):
                yield number, "term", f'"{found[0]}": {say}'
