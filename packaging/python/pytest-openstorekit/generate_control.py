# SPDX-License-Identifier: Apache-2.0
"""Writes the typed client of `/control/v1` from the description that a store serves at `/openapi/control.json`.

python generate_control.py DESCRIPTION.json > src/pytest_openstorekit/control.py
"""

import json
import keyword
import re
import subprocess
import sys
import textwrap
from pathlib import Path

HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""The remote control of a store in the sandbox, `/control/v1`: a method for each call.

Made by generate_control.py from the store's own description. Arguments that are `None` aren't sent.
"""

from typing import Any, Literal, NotRequired, TypedDict, cast

from pytest_openstorekit.transport import Transport
'''

CLASS = '''

class Control:
    """The calls of the remote control. Each raises `ControlError` when the store refuses it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(self, verb: str, /, **fields: Any) -> Any:
        """Sends a call without the fields that are `None`."""
        return self._transport.call(verb, {name: value for name, value in fields.items() if value is not None})
'''


def snake(name):
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def named(reference):
    return reference.rsplit("/", 1)[1]


class Description:
    def __init__(self, document):
        self.paths = document["paths"]
        self.schemas = document["components"]["schemas"]

    def annotation(self, schema):
        """The type of Python for a schema."""
        if "$ref" in schema:
            target = self.schemas[named(schema["$ref"])]
            return named(schema["$ref"]) if "properties" in target else self.annotation(target)
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}]"
        match schema.get("type"):
            case "array":
                return f"list[{self.annotation(schema['items'])}]"
            case "object" if isinstance(schema.get("additionalProperties"), dict):
                return f"dict[str, {self.annotation(schema['additionalProperties'])}]"
            case "object":
                return "dict[str, Any]"
        return {"string": "str", "integer": "int", "boolean": "bool", "number": "float"}.get(schema.get("type"), "Any")

    def references(self, schema):
        """The names of the schemas that a schema uses, with those that these use."""
        found = []
        if isinstance(schema, dict):
            if "$ref" in schema:
                name = named(schema["$ref"])
                found += [*self.references(self.schemas[name]), name]
            for value in schema.values():
                found += self.references(value)
        elif isinstance(schema, list):
            for value in schema:
                found += self.references(value)
        return found

    def calls(self):
        """The calls whose body is JSON: the name, the operation, the schema of the body and that of the answer."""
        for path, methods in self.paths.items():
            operation = methods["post"]
            body = operation["requestBody"]["content"].get("application/json")
            answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
            if body and "{" not in path:
                yield path.rsplit("/", 1)[1], operation, self.schemas[named(body["schema"]["$ref"])], answer

    def source(self):
        calls = list(self.calls())
        used = []
        for _, _, body, answer in calls:
            used += self.references(body.get("properties", {})) + self.references(answer)
        records = [name for name in dict.fromkeys(used) if "properties" in self.schemas[name]]
        yield HEAD
        yield from map(self.record, records)
        yield CLASS
        for call in calls:
            yield self.method(*call)

    def record(self, name):
        """A type of an answer, or of a value of a call."""
        schema = self.schemas[name]
        required = schema.get("required", [])
        fields = {
            field: self.annotation(value) if field in required else f"NotRequired[{self.annotation(value)}]"
            for field, value in schema["properties"].items()
        }
        notes = [schema.get("description", "An answer of the store."), *field_notes(schema["properties"], str)]
        if any(keyword.iskeyword(field) for field in fields):
            pairs = ", ".join(f'"{field}": {kind}' for field, kind in fields.items())
            return f'\n\n{name} = TypedDict("{name}", {{{pairs}}})\n"""{sentence(notes[0])}"""\n'
        lines = [f"    {field}: {kind}" for field, kind in fields.items()] or ["    pass"]
        return f"\n\nclass {name}(TypedDict):\n{docstring(notes, 4)}\n\n" + "\n".join(lines) + "\n"

    def method(self, verb, operation, body, answer):
        properties, required = body.get("properties", {}), body.get("required", [])
        ordered = sorted(properties, key=lambda field: field not in required)
        arguments = [
            f"{snake(field)}: {self.annotation(properties[field])}" + ("" if field in required else " | None = None")
            for field in ordered
        ]
        result = self.annotation(answer) if not is_empty(self.schemas, answer) else "None"
        signature = ", ".join(["self", *(["*"] if arguments else []), *arguments])
        notes = [operation["summary"]]
        if operation.get("description"):
            notes.append(operation["description"])
        notes += field_notes({field: properties[field] for field in ordered}, snake)
        fields = "".join(f", {field}={snake(field)}" for field in ordered)
        call = f'self._call("{verb}"{fields})'
        line = call if result == "None" else f"return cast({result}, {call})"
        name = verb.replace("-", "_")
        return f"\n    def {name}({signature}) -> {result}:\n{docstring(notes, 8)}\n        {line}\n"


def is_empty(schemas, schema):
    """Whether an answer has no fields."""
    return not (schemas[named(schema["$ref"])] if "$ref" in schema else schema).get("properties")


def field_notes(properties, spelling):
    return [
        f"`{spelling(field)}`: {value['description']}" for field, value in properties.items() if "description" in value
    ]


def sentence(text):
    return text if text.endswith(".") else f"{text}."


def docstring(notes, indent):
    """A docstring with a paragraph for each note."""
    text = "\n\n".join(textwrap.fill(sentence(note), 110 - indent) for note in notes)
    if "\n" in text:
        text += "\n"
    return textwrap.indent(f'"""{text}"""', " " * indent).replace("\n\n\n", "\n\n")


def formatted(source):
    """The source as ruff formats it, with the settings of this folder."""
    ruff = Path(sys.executable).with_name("ruff")
    ran = subprocess.run(
        [ruff, "format", "--stdin-filename", Path(__file__).with_name("control.py"), "-"],
        input=source,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(formatted("".join(Description(json.load(file)).source())), end="")
