# SPDX-License-Identifier: Apache-2.0
"""Several apps of a device whose daemon listens to the store for all of them."""

import re

from daemon_device import Daemon
from harness import BUNDLE, Market, ask, expect, wait_until
from processes import CONFIGURATION, storectl
from seller_files import Probe

APPS = [BUNDLE, *(f"{BUNDLE}{number}" for number in range(2, 6))]


def streams(store):
    """The number of open event streams, by the store's metric."""
    _, text = ask("GET", f"{store.url}/metrics")
    [number] = re.findall(r"^openstorekit_event_streams (\d+)", text, re.MULTILINE)
    return int(number)


def listens(folder):
    """The daemon goes on listening for five apps that have ended, with one stream for each."""
    with Market(folder) as market:
        market.store.serve()
        for app in APPS[1:]:
            storectl("catalogue", "import", CONFIGURATION, "--bundle-id", app, *market.store.where)
        probe = Probe(folder, market.store)
        daemon = Daemon(probe)
        market.running += [daemon, probe]
        daemon.launch()

        def served():
            return {app["bundleIdentifier"]: app["processes"] for app in daemon.status()["apps"]}

        for app in APPS:
            probe.launch("watch", STOREKIT_BUNDLE_ID=app)
            wait_until(f"the daemon serves {app}", lambda: served().get(app) == 1)
            probe.kill()
            wait_until(f"{app} has left", lambda: served()[app] == 0)
        wait_until("the daemon has a stream for each app", lambda: streams(market.store) == len(APPS))

        # The streams break, and another daemon knows the apps by their settings.
        daemon.kill()
        market.store.kill()
        market.store.serve()
        expect(streams(market.store) == 0, "a stream is open without a daemon")
        daemon.launch()
        wait_until("the daemon has a stream for each app", lambda: streams(market.store) == len(APPS))
        expect(served() == dict.fromkeys(APPS, 0), f"the daemon serves {served()}")


def scenarios():
    yield "daemon: five apps that don't run", listens, {}
