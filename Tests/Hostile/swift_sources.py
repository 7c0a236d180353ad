# SPDX-License-Identifier: Apache-2.0
"""The routes and fields that the Swift sources declare, read from their text."""

import re

from processes import ROOT

SOURCES = ROOT / "Sources"
# Routes that are made in a loop over a list which is read from the sources as well, by their method.
LOOPS = {
    r"\(StorePath.folder)/\(path.rawValue)": lambda _: [f"/device/v1/{path}" for path in store_paths()],
    r"\(StorePath.folder)/\(StorePath.events.rawValue)": lambda _: ["/device/v1/events"],
    r"\(Control.folder)/\(verb.rawValue)": lambda _: [f"/control/v1/{verb}" for verb in control_verbs()],
    r"\(Control.folder)/\(Control.uploads)/:upload/:offset": lambda _: [f"/control/v1/{uploads()}/:upload/:offset"],
    r"\(SandboxPayment.folder)/:number": lambda _: [f"{sandbox_payments()}/:number"],
    r"/connect/\(path)": lambda method: [f"/connect/{path}" for path in connect_pages(method)],
}


def text_of(*parts):
    """The text of a file, or of all files below a folder, without comments."""
    place = SOURCES.joinpath(*parts)
    files = sorted(place.rglob("*.swift")) if place.is_dir() else [place]
    return "\n".join(re.sub(r"(?m)(^|\s)//.*$", "", file.read_text()) for file in files)


def store_paths():
    text = text_of("StoreAPI", "StorePath.swift")
    raw = dict(re.findall(r'static let (\w+) = StorePath\(rawValue: "([^"]+)"\)', text))
    listed = re.search(r"static let all: \[StorePath\] = \[(.*?)\]", text, re.S).group(1)
    return [raw[name] for name in re.findall(r"\.(\w+)", listed)]


def control_verbs():
    text = text_of("StoreService", "Control")
    cases = re.search(r"enum Verb: String.*?\{(.*?)\n    \}", text, re.S).group(1)
    found = []
    for line in re.findall(r"case ([^\n]+)", cases):
        raw = re.search(r'= "([^"]+)"', line)
        found += [raw.group(1)] if raw else re.findall(r"\w+", line)
    return found


def account_switches():
    """The names of the switches of an account, which are fields of its message."""
    return re.findall(r'AccountSwitch\(\s*name: "([^"]+)"', text_of("StoreDomain", "Accounts", "AccountSwitch.swift"))


def uploads():
    """The folder of the parts of uploads."""
    return re.search(r'static let uploads = "([^"]+)"', text_of("StoreService", "Control")).group(1)


def sandbox_payments():
    """The folder of the pages on which customers of the sandbox confirm payments."""
    text = text_of("StoreDomain", "Payments", "Providers", "Sandbox", "SandboxPayment.swift")
    return re.search(r'static let folder = "([^"]+)"', text).group(1)


def connect_pages(method):
    """The paths behind `/connect/` that take a method: all take GET, and pages with forms POST as well."""
    added = re.findall(r'(?m)^ +add(WithoutForms|Answer|Download|)\(\s*"([^"]+)", to: router\)',
                       text_of("StoreServer", "Connect"))
    return [path for kind, path in added if method == "get" or not kind]


def declared_routes():
    """Every route of the server as `METHOD /path`, and the declarations that aren't understood."""
    routes, odd, others = set(), [], []
    for file in sorted(SOURCES.joinpath("StoreServer").rglob("*.swift")):
        if file.parent.name == "Receiver":  # A seller's server, which no store has.
            continue
        text = re.sub(r"(?m)(^|\s)//.*$", "", file.read_text())
        for method, path in re.findall(r'\.(get|post|put|patch|delete|head|ws)\(\s*"([^"]*)"', text):
            if path in LOOPS:
                routes.update(f"{method.upper()} {one}" for one in LOOPS[path](method))
            elif "\\(" in path:
                odd.append(f"{file.name}: {path}")
            else:
                routes.add(f"{method.upper()} {path}")
        others += [(file.name, path) for path in re.findall(r'\.on\(\s*"([^"]*)"', text)]
        odd += [f"{file.name}: {call}" for call in re.findall(r"\.(?:group|addRoutes)\((?!let )[^)]*\)", text)]
    # Methods that a path refuses are routes of their own; the path has to be one of those above.
    odd += [f"{name}: {path}" for name, path in others if not any(route.endswith(f" {path}") for route in routes)]
    return routes, odd


def structures(text):
    """The stored properties of every structure: names and types, by the structure's name."""
    found = {}
    for begin in re.finditer(r"\bstruct (\w+)[^{]*\{", text):
        body, depth = [], 1
        for character in text[begin.end():]:
            depth += {"{": 1, "}": -1}.get(character, 0)
            if depth == 0:
                break
            body.append(character if depth == 1 or character == "{" else "")
        stored = re.findall(r"(?m)^(?![^\n]*\bstatic\b)[^\n]*?\bvar (\w+): ([\w.\[\]: ]+\??)[^\n{]*$",
                            "".join(body))
        found[begin.group(1)] = dict(stored)
    return found


def call_of(path):
    """The structure of a device message, by its path."""
    text = text_of("StoreAPI", "Messages")
    name = re.search(r'static let (\w+) = StorePath\(rawValue: "' + re.escape(path) + '"', text_of(
        "StoreAPI", "StorePath.swift")).group(1)
    return re.search(r"struct (\w+): \w*Call\b[^{]*\{\s*package static let path = StorePath\." + name + r"\b",
                     text).group(1)


def missing_fields(sample, structure, known, place=""):
    """Yields the fields of a structure that a sample lacks, inner structures included."""
    for name, type in known[structure].items():
        where = f"{place}{name}"
        if name not in sample:
            yield where
            continue
        value = sample[name]
        if isinstance(value, list) and value:
            value = value[0]
        inner = type.strip("[]? ")
        if isinstance(value, dict) and inner in known:
            yield from missing_fields(value, inner, known, f"{where}.")
