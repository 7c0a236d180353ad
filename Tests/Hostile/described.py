# SPDX-License-Identifier: Apache-2.0
"""Compares answers of a running store with the descriptions in `Sources/StoreServer/OpenAPI`."""

import copy
import functools
import json
import re

import jsonschema_rs

from openapi_descriptions import DESCRIPTIONS, reference

JSON = "application/json"


@functools.cache
def operations():
    """Every operation by its route, as the router has it: the name of the description, and the operation."""
    return {f"{method.upper()} " + re.sub(r"\{(\w+)\}", r":\1", path): (name, operation)
            for name, description in DESCRIPTIONS.items() for path, item in description["paths"].items()
            for method, operation in item.items() if method != "parameters"}


@functools.cache
def strict_schemas(name):
    """The schemas of a description, which refuse fields that aren't described."""
    described = copy.deepcopy(DESCRIPTIONS[name]["components"]["schemas"])
    for schema in described.values():
        if schema.get("type") == "object":
            schema["additionalProperties"] = False
    return described


@functools.cache
def validator(name, schema):
    """A validator of a schema, given as a text, which refers to those of a description."""
    return jsonschema_rs.validator_for({
        "$schema": "https://json-schema.org/draft/2020-12/schema", **json.loads(schema),
        "components": {"schemas": strict_schemas(name)}})


def difference(route, answer):
    """How an answer differs from the description of its route; `None` if it doesn't, or if the route has none."""
    if route not in operations() or not answer.status:
        return None
    if answer.status == 400 and not answer.body:
        # The server's HTTP parser refuses an unreadable head by an answer without a body.
        return None
    name, operation = operations()[route]
    response = operation["responses"].get(str(answer.status))
    if response is None:
        return f"was answered {answer}, with a status that isn't described"
    if "$ref" in response:
        response = DESCRIPTIONS[name]["components"]["responses"][reference(response)]
    contents, kind = response.get("content", {}), answer.headers.get("content-type", "").partition(";")[0]
    if not answer.body:
        return None
    if kind not in contents:
        return f"was answered {answer}, as {kind}, which isn't described"
    if kind != JSON:
        return None
    check = validator(name, json.dumps(contents[JSON]["schema"]))
    error = next(check.iter_errors(answer.json), None)
    return error and f"was answered {answer}, which isn't as described: {error.message[:300]}"
