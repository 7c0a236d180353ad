# SPDX-License-Identifier: Apache-2.0
"""The descriptions in `Sources/StoreServer/OpenAPI`."""

import json

from processes import ROOT

NAMES = ("device", "pages", "server", "control", "connect")
DESCRIPTIONS = {
    name: json.loads((ROOT / f"Sources/StoreServer/OpenAPI/{name}.json").read_text()) for name in NAMES}


def schemas(name):
    return DESCRIPTIONS[name]["components"]["schemas"]


def reference(schema):
    """The name of the schema to which another one refers; `None` if it refers to none."""
    return schema.get("$ref", "").rpartition("/")[2] or None


def without_null(message):
    """A message without its fields that are null: they count as absent."""
    if isinstance(message, dict):
        return {key: without_null(inner) for key, inner in message.items() if inner is not None}
    return [without_null(inner) for inner in message] if isinstance(message, list) else message
