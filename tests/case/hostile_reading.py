"""Folders whose files cannot be read: missing, links, not UTF-8, broken or dangerous YAML and JSON."""

from __future__ import annotations

from tests.case.hostile import Hostile, put_folder, put_link, put_pipe, swap, whole

STRUCTURE = [
    Hostile("no case.yaml", "case.yaml", lambda f: (f / "case.yaml").unlink(), ("missing",)),
    Hostile("events file misspelt", "events.yaml", lambda f: (f / "events.yaml").rename(f / "event.yaml"),
            ("missing", "did you mean 'event.yaml'?")),
    Hostile("a folder in place of a file", "sites.yaml", lambda f: put_folder(f / "sites.yaml"), ("folder",)),
    Hostile("a link in place of a file", "sites.yaml", lambda f: put_link(f / "sites.yaml"), ("link",)),
    Hostile("a pipe in place of a file", "sites.yaml", lambda f: put_pipe(f / "sites.yaml"),
            ("not a regular file",)),
    whole("an empty file", "events.yaml", "", "empty", "[]"),
    whole("comments only", "events.yaml", "# nothing\n", "nothing but comments"),
    whole("not UTF-8", "case.yaml", b"# one\n# two\ntitle: caf\xe9\n", "UTF-8"),
    whole("too large", "events.yaml", b"# " + b"x" * (5 * 1024 * 1024), "5 MB"),
    whole("a NUL", "events.yaml", "- id: a\x00b\n", "#x0000", on="- id"),
    whole("a list where a mapping belongs", "case.yaml", "- a\n", "a list", "a mapping"),
]  # fmt: skip

YAML = [
    swap("broken indentation", "case.yaml", "country: Montara", "  country: Montara", "not valid YAML",
         on="country:"),
    swap("a tab", "case.yaml", "country: Montara", "\tcountry: Montara", "not valid YAML", "tabs"),
    swap("an open quote", "targets.yaml", "label: Registered", 'label: "Registered', "not valid YAML"),
    swap("a tag", "case.yaml", "country: Montara", "country: !!python/name:os.system Montara", "the tag"),
    swap("an anchor", "case.yaml", "country: Montara", "country: &here Montara", "the anchor &here"),
    swap("an alias", "case.yaml", "country: Montara", "country: *here", "the alias *here",
         "Write the value out"),
    swap("a key twice", "case.yaml", "country: Montara", "country: Montara\ncountry: Norlund", "twice",
         on="Norlund"),
    swap("a second document", "case.yaml", "country: Montara", "---\ncountry: Montara", "second document",
         on="---"),
    whole("nested too deep", "events.yaml", "[" * 30 + "]" * 30 + "\n", "nested more than 20 levels"),
    whole("a deep bomb", "events.yaml", "[" * 100_000, "nested more than 20 levels"),
    swap("an escape to the terminal", "case.yaml", "country: Montara", r'country: "\e[2J"', "#x001b"),
    swap("a turn of direction", "case.yaml", "country: Montara", 'country: "M\u202eontara"', "#x202e"),
    swap("an endless key", "case.yaml", "country: Montara", "? " + "x" * 5000 + "\n: y", "5,000 characters"),
    swap("null", "case.yaml", "country: Montara", "country: null", "nothing (null)", key="country"),
    swap("not a number", "force.yaml", "repression: 0.2", "repression: .nan", "finite", key="repression"),
    swap("a huge exponent", "force.yaml", "repression: 0.2", "repression: 1e999", "larger than any number"),
    swap("a huge integer", "force.yaml", "value: 5000", "value: " + "9" * 5000, "5000 digits"),
    swap("values without end", "case.yaml", "authors: [Name", "authors: [" + "1, " * 200_000 + "Name",
         "more than 200,000"),
]  # fmt: skip

JSON = [
    swap("no comma", "places.geojson", '"FeatureCollection",', '"FeatureCollection"', "not valid JSON",
         on='"features"'),
    swap("a huge integer in JSON", "places.geojson", "[11.5, 20.6]", f"[{'1' * 4999}, 20.6]", "not finite"),
    swap("latitude first", "places.geojson", "[11.5, 20.6]", "[20.6, 111.5]", "out of range", "at most 90"),
    swap("a line for a point", "places.geojson", '"type": "Point"', '"type": "LineString"', "'LineString'",
         "Point"),
    swap("an unknown property", "places.geojson", '"label": "Coast"', '"lable": "Coast"',
         "did you mean 'label'?"),
    swap("a place twice", "places.geojson", '"station-hotel"', '"old-bridge"', "'old-bridge' is there twice",
         key="feature"),
    swap("an endless key in JSON", "places.geojson", '"label": "Coast"', f'"{"x" * 300}": "Coast"',
         "300 characters"),
    whole("a bomb of brackets", "places.geojson", "[" * 200_000, "nested more than 20 levels"),
    whole("two contents", "places.geojson", "{} {}", "not valid JSON: Extra data"),
    whole("values without end in JSON", "places.geojson", "[" + "1," * 200_000 + "1]",
          "more than 200,000 values"),
]  # fmt: skip
