# SPDX-License-Identifier: Apache-2.0
"""Starts a sandbox store, FlowerGarden's back end and FlowerGarden, until Ctrl-C. Run by scripts/garden.

The data is kept in .run/garden. GARDEN_CHECK=store checks receipts by the store's /verifyReceipt.
FLOWERGARDEN_PORT and FLOWERGARDEN_APP_PORT are the ports of the back end (8082) and of the app (8083).
"""

import json
import os
import signal
import sys
from pathlib import Path

from processes import (
    BINARIES, EMAIL, PASSWORD, ROOT, Running, Store, ask, free_port, storectl, wait_until)

BUNDLE = "com.example.FlowerGarden"
CONFIGURATION = ROOT / "Examples" / "FlowerGarden" / "FlowerGarden.storekit"


class GardenServer(Running):
    """The seller's back end. It checks receipts itself, or at the store."""

    def __init__(self, folder, store, at_store=False, port=None):
        super().__init__("FlowerGardenServer", Path(folder) / "garden-server.log")
        self.data, self.store, self.at_store = Path(folder) / "garden-server", store, at_store
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def serve(self):
        check = ({"FLOWERGARDEN_VERIFY": f"{self.store.url}/verifyReceipt"} if self.at_store
                 else {"FLOWERGARDEN_ROOT": str(self.store.root)})
        self.start([BINARIES / "FlowerGardenServer"], {
            "FLOWERGARDEN_DATA": str(self.data), "FLOWERGARDEN_PORT": str(self.port), **check})
        self.wait_for(f"{self.url}/products")


class GardenApp(Running):
    """A device that runs FlowerGarden."""

    def __init__(self, folder, store, server, name="device", port=None):
        folder = Path(folder) / name
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(f"FlowerGarden on {name}", folder / "garden.log")
        self.home, self.files = folder / "storekit", folder / "files"
        self.store, self.server = store, server
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def launch(self, **environment):
        self.start([BINARIES / "FlowerGarden"], {
            "STOREKIT_STORE_URL": self.store.url, "STOREKIT_BUNDLE_ID": BUNDLE, "STOREKIT_APP_VERSION": "1.0",
            "STOREKIT_HOME": str(self.home), "STOREKIT_TRUST": str(self.store.root),
            "FLOWERGARDEN_HOME": str(self.files), "FLOWERGARDEN_SERVER": self.server.url,
            "FLOWERGARDEN_APP_PORT": str(self.port), **environment,
        })
        self.wait_for(f"{self.url}/")

    def state(self):
        return json.loads(ask("GET", f"{self.url}/state.json")[1])


class GardenDaemon(Running):
    """storeagentd of the device, which goes on with downloads while the app doesn't run."""

    def __init__(self, app):
        super().__init__("storeagentd", app.log.with_name("storeagentd.log"))
        self.home = app.home

    def launch(self):
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.start([BINARIES / "storeagentd"], {"STOREKIT_HOME": str(self.home)})

    def serves(self, bundle):
        """Whether a process of an app is connected."""
        daemon = json.loads(storectl("device", "status", "--home", self.home, "--json")).get("daemon") or {"apps": []}
        return any(app["bundleIdentifier"] == bundle and app["processes"] for app in daemon["apps"])


def users_environment():
    """The variables from which scripts/open restores the browser's environment."""
    names = ("BROWSER", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
    return {name.replace("XDG", "USER") if name != "BROWSER" else "USER_BROWSER": os.environ.get(name, "")
            for name in names}


def main():
    folder = Path(os.environ.get("RUN_FOLDER") or ROOT / ".run") / "garden"
    folder.mkdir(parents=True, exist_ok=True)
    store = Store(folder, CONFIGURATION, BUNDLE)
    ports = [os.environ.get(name, port) for name, port in (("FLOWERGARDEN_PORT", 8082), ("FLOWERGARDEN_APP_PORT", 8083))]
    server = GardenServer(folder, store, os.environ.get("GARDEN_CHECK") == "store", ports[0])
    app = GardenApp(folder, store, server, port=ports[1])
    daemon = GardenDaemon(app)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        store.serve()
        store.add_account(EMAIL, PASSWORD)
        server.serve()
        daemon.launch()
        app.launch(BROWSER=str(ROOT / "scripts" / "open"), **users_environment())
        print(f"""
  FlowerGarden  {app.url}/
  Its back end  {server.url}/products
  The store     {store.url}/

  Make a garden with a name and a password of your own, and buy seeds.
  The payment sheet asks for the store's account: {EMAIL}, {PASSWORD}
  The sheet's address is also in {app.log}. Ctrl-C stops all of them.
""", flush=True)
        ended = wait_until("a process ends", lambda: next(
            (one for one in (store, server, daemon, app) if one.process.poll() is not None), None), seconds=10 ** 9)
        print(f"{ended.name} has ended:\n{ended.tail()}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopping.")
        return 0
    except AssertionError as failed:
        print(failed, file=sys.stderr)
        return 1
    finally:
        for one in (app, daemon, server, store):  # the app first: it may have requests for the others
            one.stop()


if __name__ == "__main__":
    sys.exit(main())
