# SPDX-License-Identifier: Apache-2.0
"""The store of the tests of BuyFruit in a browser."""

import itertools

from customer import ARTIFACTS, Device, photograph_all
from processes import PASSWORD


class Shop:
    """The store that all tests share, and the devices of one test. Each test has accounts and devices of its own."""

    numbers = itertools.count(1)

    def __init__(self, folder, store, browser):
        self.folder, self.store, self.browser, self.devices = folder, store, browser, []

    def device(self, email=None, **environment):
        number = next(self.numbers)
        if email is None:
            email = f"tester{number}@example.com"
            self.store.add_account(email, PASSWORD)
            self.store.make_sign_ins_cheap(email, PASSWORD)
        device = Device(self.folder, self.store, self.browser, f"device{number}", email, **environment)
        self.devices.append(device)
        device.launch()
        return device

    def charges(self, device):
        return self.store.rows(
            "SELECT count(*) FROM ledger_entry JOIN account USING (environment, account_id) "
            f"WHERE email = '{device.email}' AND milliunits > 0"
        )[0][0]

    def close(self, name, has_failed):
        """Requires that no page had an error, keeps the evidence of a failure, and ends the devices."""
        errors = [error for device in self.devices for error in device.errors]
        if has_failed or errors:
            photograph_all([device.context for device in self.devices], ARTIFACTS, name)
            for device in self.devices:
                print(f"--- {device.app.name}\n{device.app.tail(12)}")
        for device in self.devices:
            device.close()
        assert not errors, f"the browser's console: {errors}"
