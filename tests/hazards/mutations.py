"""Where the text of a CUDA program can be made wrong in one place: what mutate.py takes away.

Works on text, with brackets and a few patterns; it knows no C++. What it gives may not compile, and then counts for
nothing. Standard library only.
"""
import collections
import re

KINDS = ["barrier", "syncwarp", "fence", "atomic", "bound", "index", "init"]

# function: first and last line, None for host code. text: of the whole program
Mutation = collections.namedtuple("Mutation", "kind line function text")


def closing(text, at):
    """Where the bracket that opens at `at` closes."""
    pairs, depth = {"(": ")", "[": "]", "{": "}"}, 0
    opens, closes = text[at], pairs[text[at]]
    for i in range(at, len(text)):
        depth += (text[i] == opens) - (text[i] == closes)
        if depth == 0:
            return i
    return -1


def without_comments(text):
    """The text with its comments as blanks, so that places stay."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    return re.sub(r"//[^\n]*|/\*.*?\*/", blank, text, flags=re.DOTALL)


def device_functions(text):
    """(begin, end) of the bodies of kernels and device functions."""
    for found in re.finditer(r"__(?:global|device)__", text):
        open_brace, semicolon, equals = (text.find(sign, found.end()) for sign in "{;=")
        if open_brace < 0 or 0 <= semicolon < open_brace or 0 <= equals < open_brace:
            continue
        end = closing(text, open_brace)
        if end > 0:
            yield open_brace, end


def rewrites(text, begin, end):
    """(kind, from, to, what stands there instead) within a body."""
    body = lambda pattern: re.compile(pattern).finditer(text, begin, end)
    for found in body(r"__syncthreads\(\)|\b\w+\.sync\(\)|cg::sync\(\w+\)"):
        yield "barrier", found.start(), found.end(), "((void)0)"
    for found in body(r"__syncthreads_(?:or|and|count)(?=\()"):
        yield "barrier", found.start(), found.end(), ""
    for found in body(r"__syncwarp\([^()]*\)"):
        yield "syncwarp", found.start(), found.end(), "((void)0)"
    for found in body(r"__threadfence(?:_block|_system)?\(\)"):
        yield "fence", found.start(), found.end(), "((void)0)"
    for found in body(r"\batomicAdd(?:_block|_system)?\("):
        last = closing(text, found.end() - 1)
        inside = text[found.end():last]
        depth = [inside[:i].count("(") + inside[:i].count("[") - inside[:i].count(")") - inside[:i].count("]")
                 for i in range(len(inside))]
        commas = [i for i, sign in enumerate(inside) if sign == "," and depth[i] == 0]
        if len(commas) == 1:
            place, value = inside[:commas[0]].strip(), inside[commas[0] + 1:].strip()
            yield "atomic", found.start(), last + 1, f"((*({place}) += ({value})) - ({value}))"
    for found in body(r"\bif (?:constexpr )?\("):
        last = closing(text, found.end() - 1)
        condition = text[found.end():last]
        if "constexpr" not in found.group(0) and re.search(r"[^<]<[^<]|[^>-]>[^>]", condition):
            returns = re.match(r"\s*\{?\s*(return|continue|break)\b", text[last + 1:end])
            yield "bound", found.end(), last, "false" if returns else "true"
    for found in body(r"\b\w+(\[)"):
        last = closing(text, found.end() - 1)
        line = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
        declares = re.search(r"(?:__shared__|constexpr|\b(?:int|unsigned|float|double|char|bool|long|short|T)\s+)$|__shared__",
                             line)
        if last > 0 and not declares and text[found.end():last].strip():
            yield "index", found.end(), last, f"({text[found.end():last]}) + 1"
    for first, last in stores(text, begin, end):
        yield "init", first, last, "((void)0)"
    for first, last in declared_values(text, begin, end):
        yield "init", first, last, ""


def outside_brackets(text):
    """The text with what stands in brackets as blanks, so that places stay."""
    before = None
    while before != text:
        before, text = text, re.sub(r"\[[^][()]*\]|\([^][()]*\)|(?<=_cast)<[^<>]*>",
                                    lambda found: " " * len(found.group(0)), text)
    return text


def stores(text, begin, end):
    """(from, to) of statements of a body that store to an element or a shared variable by plain `=`, and do no more."""
    shared, plain_equals = set(), re.compile(r"(?<![=!<>+\-*/%&|^])=(?!=)")
    declared = re.compile(r"__shared__\s+(?:volatile\s+)?[\w:]+(?:<[^;]*>)?\s+([\w\s,]+);")
    for found in declared.finditer(text, begin, end):
        shared |= set(re.findall(r"\w+", found.group(1)))
    for found in re.compile(r"(?:[;{}):]|\b(?:else|do)\b)\s*(?=[\w*])").finditer(text, begin, end):
        first, last = found.end(), text.find(";", found.end(), end)
        statement = text[first:last] if last > 0 else ""
        equals = plain_equals.search(outside_brackets(statement))
        if not equals or len(plain_equals.findall(statement)) > 1 or \
                any(statement.count(one) != statement.count(other) for one, other in ("()", "[]")):
            continue
        if re.search(r"\+\+|--|[-+*/%&|^]=|<<=|>>=|\batomic\w*\(|sync|[{}]", statement):
            continue
        place = statement[:equals.start()].strip()
        bare = outside_brackets(place).strip()
        is_element = "[" in place or place.startswith("*") or "->" in place and not place.startswith("this")
        declares = re.search(r"\w\s+[\w*]|&", bare)
        if not declares and (is_element or re.match(r"\w*", bare).group(0) in shared):
            yield first, last


def declared_values(text, begin, end):
    """(from, to) of what local arrays of a body are declared with."""
    for found in re.compile(r"\b\w+\s*(?:\[[^][;]+\]\s*)+(=\s*)\{").finditer(text, begin, end):
        statement = re.split(r"[;{}()]", text[begin:found.start()])[-1]
        is_type = re.fullmatch(r"\s*\w[\w\s:<>]*\s", statement)
        if is_type and not re.search(r"\b(?:const|constexpr|static|__shared__|return)\b", statement):
            yield found.start(1), closing(text, found.end() - 1) + 1


def host_values(text, bodies):
    """(from, to) of calls of host code that set device memory."""
    for found in re.finditer(r"\bcuda(?:Memset|Memcpy)(?:Async)?(?=\()", text):
        last = closing(text, found.end())
        is_set = "Memset" in found.group(0) or "cudaMemcpyHostToDevice" in text[found.end():last]
        if last > 0 and is_set and not any(begin <= found.start() <= end for begin, end in bodies):
            yield found.start(), last + 1


def mutations_of(source):
    plain = without_comments(source)
    seen = set()
    bodies = list(device_functions(plain))
    for first, last in host_values(plain, bodies):
        line = plain.count("\n", 0, first) + 1
        yield Mutation("init", line, None, source[:first] + "cudaSuccess" + source[last:])
    for begin, end in bodies:
        lines = plain.count("\n", 0, begin) + 1, plain.count("\n", 0, end) + 1
        for kind, first, last, instead in rewrites(plain, begin, end):
            if (first, last) in seen:
                continue
            seen.add((first, last))
            line = plain.count("\n", 0, first) + 1
            yield Mutation(kind, line, lines, source[:first] + instead + source[last:])
