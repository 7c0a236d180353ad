#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the man pages of a command line from its own help, as swift-argument-parser describes it.

    storectl --experimental-dump-help | packaging/man.py VERSION FOLDER

The program's page, such as `storectl.1`, has the list of its commands. Each command has a page, such as
`storectl-serve.1`, with its own subcommands. Uses only Python's standard library.
"""

import json
import re
import sys
from pathlib import Path

def text(words):
    """Prose for roff: no line begins with a control character, and hyphens of options stay as they are."""
    escaped = words.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(re.sub(r"^([.'])", r"\\&\1", line) for line in escaped.splitlines())


def spelled(name):
    return {"long": "--", "short": "-", "longWithSingleDash": "-"}[name["kind"]] + name["name"]


def shown(arguments):
    return [argument for argument in arguments if argument.get("shouldDisplay", True)]


def value(argument):
    return f"<{argument['valueName']}>"


def synopsis(argument):
    """An argument on the line of the command, such as `[--port <port>] ...`."""
    word = value(argument) if argument["kind"] == "positional" else spelled(argument["preferredName"])
    if argument["kind"] == "option":
        word += f" {value(argument)}"
    word += " ..." if argument["isRepeating"] else ""
    return f"[{word}]" if argument["isOptional"] else word


def label(argument):
    """An argument as the title of its description."""
    if argument["kind"] == "positional":
        return value(argument)
    names = ", ".join(spelled(name) for name in sorted(argument["names"], key=lambda name: name["kind"] != "short"))
    return f"{names} {value(argument)}" if argument["kind"] == "option" else names


def descriptions(arguments):
    for argument in shown(arguments):
        words = argument.get("abstract", "")
        if argument.get("defaultValue"):
            words += f" Default: {argument['defaultValue']}."
        yield f".TP\n.B {text(label(argument))}\n{text(words) or text('No description.')}"


def usage(names, command):
    words = [" ".join(names), *map(synopsis, shown(command.get("arguments", [])))]
    if children(command):
        words.append("<subcommand>")
    return f".B {text(words[0])}\n{text(' '.join(words[1:]))}"


def leaves(names, command):
    """The command and all below it, with their names."""
    yield names, command
    for child in children(command):
        yield from leaves([*names, child["commandName"]], child)


def children(command):
    return [child for child in command.get("subcommands", []) if child["commandName"] != "help" and shown([child])]


def head(title, version, abstract):
    return [
        f'.TH "{text(title).upper()}" "1" "" "OpenStoreKit {version}" "OpenStoreKit"',
        f".SH NAME\n{text(title)} \\- {text(abstract.rstrip('.'))}",
    ]


def page(program, command, version):
    """The page of a command of a program."""
    name = command["commandName"]
    lines = head(f"{program}-{name}", version, command.get("abstract", ""))
    lines.append(f".SH SYNOPSIS\n{usage([program, name], command)}")
    if command.get("discussion"):
        lines.append(f".SH DESCRIPTION\n{text(command['discussion'])}")
    lines += [".SH OPTIONS", *descriptions(command.get("arguments", []))]
    below = [leaf for child in children(command) for leaf in leaves([program, name, child["commandName"]], child)]
    if below:
        lines.append(".SH SUBCOMMANDS")
    for names, child in below:
        lines.append(f".SS {text(' '.join(names[1:]))}\n{text(child.get('abstract', ''))}")
        if child.get("discussion"):
            lines.append(f".PP\n{text(child['discussion'])}")
        lines += [f".PP\n{usage(names, child)}", *descriptions(child.get("arguments", []))]
    lines.append(f".SH SEE ALSO\n.BR {program} (1)")
    return "\n".join(lines) + "\n"


def overview(root, version):
    """The page of the program, with the list of its commands."""
    program = root["commandName"]
    lines = head(program, version, root["abstract"])
    lines.append(f".SH SYNOPSIS\n{usage([program], root)}")
    lines.append(f".SH DESCRIPTION\n{text(root.get('discussion', ''))}")
    lines += [".SH OPTIONS", *descriptions(root["arguments"])]
    if children(root):
        lines.append(".SH COMMANDS")
    for child in children(root):
        lines.append(f".TP\n.BR {program}\\-{text(child['commandName'])} (1)\n{text(child.get('abstract', ''))}")
    return "\n".join(lines) + "\n"


def write(description, version, folder):
    root = description["command"]
    program = root["commandName"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{program}.1").write_text(overview(root, version))
    for child in children(root):
        (folder / f"{program}-{child['commandName']}.1").write_text(page(program, child, version))


if __name__ == "__main__":
    write(json.load(sys.stdin), sys.argv[1], Path(sys.argv[2]))
