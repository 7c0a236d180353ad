# SPDX-License-Identifier: Apache-2.0
"""Several apps of a device whose daemon listens to the store for all of them."""

import re

from daemon_device import Daemon
from harness import BUNDLE, Market, ask, wait_until
from processes import CONFIGURATION, storectl
from seller_files import Probe

APPS = [BUNDLE, *(f"{BUNDLE}{number}" for number in range(2, 6))]


def streams(store):
    """The number of open event streams, and of the apps in them, by the store's metrics."""
    _, text = ask("GET", f"{store.url}/metrics")
    return tuple(int(number) for name in ("streams", "stream_apps") for number in re.findall(
        rf"^openstorekit_event_{name} (\d+)", text, re.MULTILINE))


def test_five_apps_that_do_not_run(folder):
    """The daemon goes on listening for five apps that have ended, with one stream for all."""
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
        one = (1, len(APPS))
        wait_until("the daemon has one stream with each app", lambda: streams(market.store) == one)

        # The stream breaks, and the daemon opens another one.
        market.store.kill()
        market.store.serve()
        wait_until("the daemon has one stream again", lambda: streams(market.store) == one)

        # Another daemon knows the apps by their settings.
        daemon.kill()
        market.store.kill()
        market.store.serve()
        assert streams(market.store) == (0, 0), "a stream is open without a daemon"
        daemon.launch()
        wait_until("the other daemon has one stream with each app", lambda: streams(market.store) == one)
        assert served() == dict.fromkeys(APPS, 0), f"the daemon serves {served()}"
