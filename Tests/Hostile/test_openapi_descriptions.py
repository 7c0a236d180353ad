# SPDX-License-Identifier: Apache-2.0
"""Compares the descriptions in `Sources/StoreServer/OpenAPI` with the sources and with the samples of this folder.

A schema has the name of its structure in Swift; the name of a structure in another one follows that one's
(`PaymentCallAnswer`), and a limit's schema has the name of the limit. So a field that is added, renamed or limited in
one place only is a failure here.
"""

import json
import re

import samples
from described import validator
from openapi_descriptions import DESCRIPTIONS, NAMES, reference, schemas, without_null
from swift_sources import account_switches, call_of, declared_routes, store_paths, structures, text_of

# The routes of each description, by the beginning of their paths.
FOLDERS = {
    "device": ("/device/",), "control": ("/control/",), "server": ("/inApps/",), "connect": ("/connect/v1/",),
    "pages": ("/sheet/", "/account/", "/sandbox/", "/app/", "/item/", "/artwork/")}
FILES = ("GET /sheet/sheet.js", "GET /sheet/pending.js")  # They are parts of pages.
# Limits of numbers that may be missing, and the limit of the number.
OPTIONAL = {"NewsNumber": "EventNumber", "ClockOffset": "AnyNumber", "NextPage": "PageNumber"}
# Schemas of structures that encode themselves, or are made of several places.
BY_HAND = {"Failure", "PurchaseFailure", "UnderlyingFailure"}
# Apple's requests, whose fields the store reads one by one.
BY_HAND |= {"UpdateAppAccountTokenRequest", "ExtendRenewalDateRequest", "MassExtendRenewalDateRequest",
            "ConsumptionRequest", "ConsumptionRequestV1", "NotificationHistoryRequest"}
# Connect's requests, whose fields the store reads one by one, and the problems of a refusal's fields.
BY_HAND |= {"NewApp", "AppChange", "NewProduct", "ProductChange", "NewInvitation", "RoleChange", "Problem",
            "NewOffer", "NewCodes", "NewPrice", "NewTester", "TesterChange", "ClockChange", "Decision", "NewMember",
            "PromotionChange", "NewBank", "NewTaxForm", "NewRefund", "NewAddress", "NewItem", "ItemChange",
            "ReviewDecision", "StorePageChange", "NewVersion"}
# Codes that no request gets: a bug, and a device's own.
UNDESCRIBED = {"internal-error", "unreadable-answer"}
KINDS = {"String": "string", "Int": "integer", "Int64": "integer", "Bool": "boolean", "Data": "string"}


def operations(name):
    """Every operation of a description, as method, path and content."""
    for path, item in DESCRIPTIONS[name]["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                yield method.upper(), path, operation


def operation_of(name, path):
    return DESCRIPTIONS[name]["paths"][path]["post"]


def request_schema(operation, type="application/json"):
    return reference(operation["requestBody"]["content"][type]["schema"])


def test_every_route_is_described_and_none_more():
    """Every route of a device, a page and the remote control is described, and none more."""
    declared, _ = declared_routes()
    for name in NAMES:
        wanted = {route for route in declared if route.split()[1].startswith(FOLDERS[name])} - set(FILES)
        found = {f"{method} " + re.sub(r"\{(\w+)\}", r":\1", path) for method, path, _ in operations(name)}
        assert wanted, f"no route of {name} was found; the folders of openapi_descriptions.py don't fit the sources"
        assert not wanted - found, f"OpenAPI/{name}.json lacks {sorted(wanted - found)}"
        assert not found - wanted, f"OpenAPI/{name}.json has routes that the store lacks: {sorted(found - wanted)}"
        identifiers = [operation["operationId"] for _, _, operation in operations(name)]
        assert len(set(identifiers)) == len(identifiers), f"an operationId of {name} is used twice"


def nested(text):
    """The stored properties of every structure, by its name after those of the structures around it: the type and the
    limit of each, by name. Read by the indentation, which the formatter keeps."""
    found, around = {}, []
    for line in text.splitlines():
        words, indent = line.strip(), len(line) - len(line.lstrip())
        if not words:
            continue
        while around and indent <= around[-1][0] and words != "}":
            around.pop()
        opened = re.match(r"(?:package )?(struct|enum|extension) (\w+)", words)
        if opened:
            kind, name = opened.groups()
            outer = "".join(name for _, name in around if name)
            if kind == "struct":
                found.setdefault(outer + name, {})
            if "}" not in words:
                around.append((indent, name if kind == "struct" else None))
            continue
        stored = re.match(r"(?:@Limited<(.+)> )?(?:package )?var (\w+): ([^={]+?)(?: = .*)?$", words)
        if stored and around and around[-1][1] and indent == around[-1][0] + 4 and not words.endswith("{"):
            limit, name, type = stored.groups()
            found["".join(name for _, name in around if name)][name] = (type, limit)
    return found


def swift_structures(name):
    """The structures of Swift that a description may refer to."""
    if name == "device":
        places = [("StoreAPI", "Messages"), ("StoreAPI", "Events"), ("StoreAPI", "StoreConnection.swift")]
    elif name == "server":
        places = [("StoreService", "ServerAPI", "ServerAnswers.swift")]
    elif name == "connect":
        places = [("StoreServer", "Connect", "API")]
    else:
        places = [("StoreService", "Control"), ("StoreDomain", "Offers", "WinBackConditions.swift")]
    found = nested("\n".join(text_of(*place) for place in places))
    for title, declared in found.items():
        # The switches of an account are fields of its messages.
        if name != "connect" and declared.pop("switches", None):
            type = "Bool" if title.endswith("Answer") else "Bool?"
            declared.update({switch: (type, None) for switch in account_switches()})
    return found


def differs(schema, type, limit, known, around):
    """Why a field's schema isn't that of its type in Swift; `None` if it is."""
    type = type.rstrip("?").strip()
    if limit:
        wanted = re.sub(r"Optionally<(\w+)>", r"\1", limit)
        wanted = OPTIONAL.get(wanted, wanted)
        return None if reference(schema) == wanted else f"doesn't refer to {wanted}"
    if type in KINDS:
        kind = "string" if type == "Data" else KINDS[type]
        if schema.get("type") != kind:
            return f"isn't a {kind}"
        return "isn't base64" if type == "Data" and schema.get("contentEncoding") != "base64" else None
    if type == "[String: String]":
        return None if schema.get("additionalProperties") == {"type": "string"} else "isn't a dictionary of strings"
    if type.startswith("[String: "):
        values = schema.get("additionalProperties")
        return differs(values, type[9:-1], None, known, around) if values else "isn't a dictionary"
    if type.startswith("["):
        return "isn't a list" if schema.get("type") != "array" else (
            differs(schema["items"], type[1:-1], None, known, around))
    name = type.removeprefix("Control.").replace(".", "")
    wanted = {around + name} if around + name in known else {name}
    return None if reference(schema) in wanted else f"doesn't refer to {wanted}"


def test_every_field_has_its_type_and_its_limit():
    """Every schema has the fields of its structure, with their types, limits and whether they may be missing."""
    for name, least in (("device", 20), ("server", 12), ("control", 20), ("connect", 20)):
        known, wrong = swift_structures(name), []
        compared = 0
        for title, schema in schemas(name).items():
            if title in BY_HAND or schema.get("type") != "object":
                continue
            if title not in known:
                wrong.append(f"{title} is no structure")
                continue
            described, declared = schema.get("properties", {}), known[title]
            compared += 1
            wrong += [f"{title}.{field} isn't described" for field in declared.keys() - described.keys()]
            wrong += [f"{title}.{field} doesn't exist" for field in described.keys() - declared.keys()]
            needed = {field for field, (type, _) in declared.items() if not type.endswith("?")}
            if needed != set(schema.get("required", [])):
                wrong.append(f"{title} requires {schema.get('required', [])} instead of {sorted(needed)}")
            for field in declared.keys() & described.keys():
                difference = differs(described[field], *declared[field], known, title)
                wrong += [f"{title}.{field} {difference}"] if difference else []
        assert compared >= least, f"only {compared} schemas of {name} were compared"
        assert not wrong, f"OpenAPI/{name}.json: {wrong}"
    described = request_schema(operation_of("device", "/device/v1/events"))
    assert described == "EventsCall", f"events takes {described} instead of EventsCall"
    for path in store_paths():
        described = request_schema(operation_of("device", f"/device/v1/{path}"))
        assert described == call_of(path), f"{path} takes {described} instead of {call_of(path)}"


def test_the_forms_have_their_fields():
    """The forms of the pages have the fields that the store reads, and no others."""
    declared = set(structures(text_of("StoreServer", "Pages"))["CustomerForm"])
    described = set()
    for method, path, operation in operations("pages"):
        if "requestBody" in operation:
            form = schemas("pages")[request_schema(operation, "application/x-www-form-urlencoded")]
            described |= set(form["properties"])
    assert described == declared, f"the forms have {sorted(described)} instead of {sorted(declared)}"


def value(expression, text):
    """The number of an expression in Swift, with the names of constants that the text defines."""
    for name in re.findall(r"(?<![\w.])[A-Za-z][\w.]*", expression):
        if name in ("Int", "Int64"):
            continue
        constant = re.search(rf"let {name.rpartition('.')[2]}(?:: \w+)? = (.+)", text)
        assert constant, f"{name} isn't a constant that is known"
        expression = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", str(value(constant.group(1), text)), expression)
    plain = re.sub(r"Int64|Int|_", "", expression).replace("/", "//")
    assert re.fullmatch(r"[-+*/<()\d ]+", plain), f"{expression} isn't arithmetic"
    return eval(plain)  # noqa: S307: digits and operators only


def declared_limits():
    """The limits that the sources declare: keywords of a schema, by the limit's name."""
    text, found = text_of("StoreAPI"), {}
    places = re.finditer(r"enum (\w+): (\w+) \{(.*?)\n\}", text, re.S)
    for name, kind, content in (place.groups() for place in places):
        bounds = re.search(r"(?:bytes|range)(?:: [\w<>]+)? = (.+)\.\.\.(.+)", content)
        if kind == "TextLimit":
            found[name] = dict(zip(("minLength", "maxLength"), (value(bound, text) for bound in bounds.groups())))
        elif kind == "NumberLimit" or name == "RetryAfter":
            found[name] = dict(zip(("minimum", "maximum"), (value(bound, text) for bound in bounds.groups())))
        elif kind == "ListLimit":
            element = re.search(r"typealias Element = (?:SelfChecked<)?(\w+)", content).group(1)
            count = re.search(r"static let count = (.+)", content).group(1)
            found[name] = {"maxItems": value(count, text), "items": {"$ref": f"#/components/schemas/{element}"}}
    return found


def test_the_limits_are_those_of_the_code():
    """The limits in the descriptions are those of the code."""
    declared = declared_limits()
    assert len(declared) >= 20, f"only the limits {sorted(declared)} were found"
    compared = 0
    for name in NAMES:
        for title, limit in declared.items():
            if title in schemas(name):
                described = {key: schemas(name)[title].get(key) for key in limit}
                assert described == limit, f"{name}.json: {title} is {described} instead of {limit}"
                compared += 1
    assert compared >= 20, f"only {compared} limits were compared"


def test_the_codes_of_each_status_are_those_of_the_store():
    """The codes of each status are those that the store answers with this status."""
    failures = text_of("StoreAPI", "StoreFailure.swift")
    named = dict(re.findall(r'static let (\w+) = Code\(rawValue: "([^"]+)"\)', failures))
    text = text_of("StoreServer", "StoreFailure+Response.swift")
    statuses = {"badRequest": 400, "unauthorized": 401, "forbidden": 403, "notFound": 404, "methodNotAllowed": 405,
                "conflict": 409, "contentTooLarge": 413, "requestTimeout": 408, "tooManyRequests": 429,
                "serviceUnavailable": 503}
    declared = {}
    for cases, status in re.findall(r"case ([^:]*):\s+\.(\w+(?:\(code: \d+)?)", text):
        number = statuses.get(status) or int(re.search(r"\d+", status).group())
        declared[number] = {named[name] for name in re.findall(r"\.(\w+)", cases)}
    every = set().union(*declared.values())
    assert set(named.values()) - UNDESCRIBED == every, f"codes without a status: {set(named.values()) - every}"
    for name in set(NAMES) - {"server"}:
        for title, response in DESCRIPTIONS[name]["components"]["responses"].items():
            [used] = {status for _, _, operation in operations(name) for status, one in operation["responses"].items()
                      if one.get("$ref", "").endswith(f"/{title}")}
            schema = response["content"]["application/json"]["schema"]
            described = set(schema["allOf"][1]["properties"]["error"]["properties"]["code"]["enum"])
            wanted = declared[int(used)]
            assert described == wanted, f"{name}.json: {title} has {sorted(described)} instead of {sorted(wanted)}"


def test_every_number_of_apple_has_its_status():
    """Every number of Apple's that the store has is described with the status of its first three digits."""
    text = text_of("StoreDomain", "ServerAPI", "ServerError.swift")
    declared = {int(number.replace("_", "")) for number in re.findall(r"[(]\s*(\d_\d{3}_\d{3}),", text)}
    assert len(declared) >= 30, f"only the numbers {sorted(declared)} were found"
    described = set()
    for response in DESCRIPTIONS["server"]["components"]["responses"].values():
        if "content" in response:
            schema = response["content"]["application/json"]["schema"]
            found = schema["allOf"][1]["properties"]["errorCode"]["enum"]
            assert len({number // 10_000 for number in found}) == 1, f"numbers of several statuses: {found}"
            described |= set(found)
    assert described == declared, f"OpenAPI/server.json differs in {sorted(described ^ declared)}"


def test_the_problems_of_fields_are_those_of_the_code():
    """The problems of Connect's fields, and the roles, are those of the code."""
    for schema, field, file in (("Problem", "problem", "FieldProblem.swift"), ("RoleChange", "role", "TeamRole.swift")):
        text = re.search(r"enum \w+: String.*?\n *\}", text_of("StoreDomain", "Teams", file), re.S).group()
        declared = {raw or name for name, raw in re.findall(r'case (\w+)(?: = "([^"]+)")?', text)}
        described = set(schemas("connect")[schema]["properties"][field]["enum"])
        assert described == declared, f"{schema}.{field} differs in {sorted(described ^ declared)}"


def test_every_event_is_described():
    """Every event of the stream is described, by its name."""
    text = text_of("StoreAPI", "Events")
    kinds = re.findall(r"(\w+)\.self", re.search(r"kinds: \[.*?\] = \[(.*?)\]", text, re.S).group(1))
    declared = {re.search(rf'struct {kind}\b.*?static let name = "([^"]+)"', text, re.S).group(1): kind
                for kind in kinds}
    described = DESCRIPTIONS["device"]["paths"]["/device/v1/events"]["post"]["x-events"]
    described = {name: reference(schema) for name, schema in described.items()}
    assert described == declared, f"the events are {described} instead of {declared}"


def schema_of(title):
    return json.dumps({"$ref": f"#/components/schemas/{title}"})


def test_every_sample_conforms():
    """Every message of samples.py conforms to its schema."""
    wrong = []
    for name, prefix, messages in (
            ("device", "/device/v1/", samples.DEVICE), ("control", "/control/v1/", samples.CONTROL)):
        for path, message in (messages | ({"events": samples.EVENTS} if name == "device" else {})).items():
            check = validator(name, schema_of(request_schema(operation_of(name, prefix + path))))
            wrong += [f"{prefix}{path}: {error.message}" for error in check.iter_errors(without_null(message))]
    for name, messages in (("server", samples.SERVER), ("connect", samples.CONNECT)):
        for route, message in messages.items():
            method, path = route.split()
            operation = DESCRIPTIONS[name]["paths"][re.sub(r":(\w+)", r"{\1}", path)][method.lower()]
            check = validator(name, schema_of(request_schema(operation)))
            wrong += [f"{route}: {error.message}" for error in check.iter_errors(message)]
    assert not wrong, f"samples that their schemas refuse: {wrong}"
