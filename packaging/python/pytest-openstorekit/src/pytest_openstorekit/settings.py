# SPDX-License-Identifier: Apache-2.0
"""The settings of a store: by argument of a factory, on the command line, or in pytest's configuration file.

An argument precedes the command line, and the command line precedes the file.
"""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_openstorekit.errors import StorekitError

#: The products of the app of the first test, which come with this package.
EXAMPLE = {"com.example.garden": str(Path(__file__).with_name("garden.storekit"))}

_HELP = {
    "exec": "the program storectl; the one of the package openstorekit when absent",
    "host": "the address at which the store listens (127.0.0.1)",
    "port": "the port at which the store listens; a free one when absent, for each process of tests",
    "configuration": "the StoreKit configuration file of the app under test; the example's garden when absent",
    "bundle_id": "the bundle identifier of the app under test",
    "arguments": "more arguments of storectl serve",
    "startup_timeout": "how many seconds the store may take to start (60)",
    "address": "for storekit_noproc: the address of a store that runs already",
    "token": "for storekit_noproc: the token of its remote control; or set OPENSTOREKIT_CONTROL_TOKEN",
}


def add_options(parser: pytest.Parser) -> None:
    """Adds the options of the command line and of the file: `--storekit-port`, `storekit_port` …"""
    group = parser.getgroup("openstorekit", "a store for tests of a seller's server")
    for name, text in _HELP.items():
        group.addoption(f"--storekit-{name.replace('_', '-')}", dest=f"storekit_{name}", default=None, help=text)
        parser.addini(f"storekit_{name}", help=text, default=None)


@dataclass(frozen=True)
class Settings:
    """How a store is started."""

    exec: str | None
    host: str
    port: int
    apps: Mapping[str, str]
    arguments: tuple[str, ...]
    startup_timeout: float

    @property
    def bundle_id(self) -> str:
        """The first app, which is the one under test."""
        return next(iter(self.apps))


class Reader:
    """Reads the settings of a run of pytest."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def text(self, name: str) -> str | None:
        """A setting of the command line, or else of the file."""
        given = self._config.getoption(f"storekit_{name}", default=None)
        value = self._config.getini(f"storekit_{name}") if given is None else given
        return str(value) if value else None

    def number(self, name: str, default: float) -> float:
        """A setting that is a number.

        Raises `StorekitError`.
        """
        text = self.text(name)
        try:
            return default if text is None else float(text)
        except ValueError:
            raise StorekitError(f"storekit_{name} takes a number, not {text!r}.") from None

    def apps(self, given: Mapping[str, str | os.PathLike[str]] | None) -> dict[str, str]:
        """The apps and the paths of their configuration files.

        Raises `StorekitError`.
        """
        if given is None:
            configuration, bundle = self.text("configuration"), self.text("bundle_id")
            if configuration is None and bundle is None:
                return EXAMPLE
            if configuration is None or bundle is None:
                missing = "storekit_configuration" if configuration is None else "storekit_bundle_id"
                raise StorekitError(f"Set {missing} too: an app has a configuration file and a bundle identifier.")
            given = {bundle: configuration}
        if not given:
            raise StorekitError("apps is empty: name an app, as in {'com.example.tip': 'Tip.storekit'}.")
        return {bundle: self._path(file) for bundle, file in given.items()}

    def bundle_of_running_store(self) -> str:
        """The app under test in a store that runs already, whose files are the store's own affair."""
        return self.text("bundle_id") or next(iter(EXAMPLE))

    def _path(self, file: str | os.PathLike[str]) -> str:
        """A path from the folder of pytest's configuration file, or from the working directory."""
        places = [self._config.rootpath / file, self._config.invocation_params.dir / file]
        for place in places:
            if place.is_file():
                return str(place)
        raise StorekitError(f"There is no configuration file {' or '.join(str(p) for p in dict.fromkeys(places))}.")

    def settings(
        self,
        *,
        exec: str | None,
        host: str | None,
        port: int | None,
        apps: Mapping[str, str | os.PathLike[str]] | None,
        arguments: tuple[str, ...] | None,
        startup_timeout: float | None,
    ) -> Settings:
        """The settings of a store, completed by those of the command line and of the file.

        Raises `StorekitError`.
        """
        number = int(self.number("port", 0)) if port is None else port
        if not 0 <= number <= 65535:
            raise StorekitError(f"storekit_port is from 1 to 65535, or 0 for a free one: {number}.")
        given = tuple(shlex.split(self.text("arguments") or "")) if arguments is None else arguments
        timeout = self.number("startup_timeout", 60) if startup_timeout is None else startup_timeout
        return Settings(
            exec=exec or self.text("exec"),
            host=host or self.text("host") or "127.0.0.1",
            port=number,
            apps=self.apps(apps),
            arguments=given,
            startup_timeout=timeout,
        )
