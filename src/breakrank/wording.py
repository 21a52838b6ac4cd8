"""Words that every part of the package puts together alike."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

HEDGES = {"at_least": "at least ", "at_most": "at most ", "about": "about "}
"""What stands before a figure that a source gives as a bound, or as a round one."""


def call(words: Sequence[str]) -> str:
    r"""Return a call of the command line as it can be typed; bytes of a name that are no text are coded.

    >>> call(["breakrank", "run", "my case"]), call(["run", "caf\udce9"])
    ("breakrank run 'my case'", "run $'caf\\xe9'")
    """
    return " ".join(_quoted(word) for word in words)


def call_again(command: str, *cases: str, **options: object) -> str:
    """Return the call that makes a result again; an option is left out where it is ``None`` or empty.

    >>> call_again("case guide", "my-case", runs=8, with_=("a", "b"), short=True, until=None)
    'breakrank case guide my-case --runs 8 --with a --with b --short'
    """
    words = ["breakrank", *command.split(), *cases]
    for name, value in options.items():
        for one in value if isinstance(value, tuple | list) else () if value is None else (value,):
            words += [f"--{name.rstrip('_').replace('_', '-')}", *([] if one is True else [str(one)])]
    return call(words)


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    coded = word.translate({0x5C: r"\\", 0x27: r"\'"})
    return "$'" + "".join(c if c.isprintable() else _coded(c) for c in coded) + "'"


def _coded(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


def counted(number: int, one: str, others: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "year"), counted(2, "year"), counted(3_000, "person", "people")
    ('1 year', '2 years', '3,000 people')
    """
    return f"{number:,} {one if number == 1 else others or one + 's'}"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return parts as a list within a sentence, `last` before the last of them.

    >>> listed(["one"]), listed(["one", "two", "three"]), listed(["one", "two"], "or"), listed([])
    ('one', 'one, two and three', 'one or two', '')
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def capitalised(text: str) -> str:
    """Return a text that begins a sentence.

    >>> capitalised("runs of Syria"), capitalised("")
    ('Runs of Syria', '')
    """
    return text[:1].upper() + text[1:]


def with_part(label: str, part: Mapping[str, Sequence[str]]) -> str:
    """Return the label of a measure that counts a part of the force.

    >>> with_part("Left", {"rank": ("general", "colonel")}), with_part("Left", {})
    ('Left (rank general and colonel)', 'Left')
    """
    told = ", ".join(f"{dim} {listed(labels)}" for dim, labels in part.items())
    return f"{label} ({told})" if part else label
