"""Renders conversations with chat templates as transformers does, and prints the hashes of the texts.

    python3 reference.py TEMPLATES conversations.json > reference.json

It needs Jinja2. TEMPLATES is the folder `models/templates` of llama.cpp's source. Of each template and conversation,
the result has the first 12 digits of the text's SHA-256, "raises" if the template refuses the conversation with
raise_exception, and null if Python fails.
"""

import datetime
import hashlib
import json
import pathlib
import sys

import jinja2
import jinja2.ext
from jinja2 import nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

NOW = datetime.datetime(2026, 1, 2, 3, 4, 5)


class Generation(jinja2.ext.Extension):
    """The tag with which transformers finds what a model is trained on. It does not change the text."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


class Raised(Exception):
    pass


def raise_exception(message):
    raise Raised(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


def environment():
    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
    )
    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = NOW.strftime
    return made


def result(template, variables):
    try:
        text = template.render(**variables)
    except Raised:
        return "raises"
    except Exception:
        return None
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def main(folder, conversations):
    cases = json.loads(pathlib.Path(conversations).read_text())
    env = environment()
    results = {}
    for path in sorted(pathlib.Path(folder).glob("*.jinja")):
        template = env.from_string(path.read_text())
        results[path.stem] = {name: result(template, case) for name, case in cases.items()}
    json.dump(results, sys.stdout, indent=1)
    print()


main(*sys.argv[1:])
