// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreService

/// How often a process records that a device uses an app.
struct DeviceUsesTests {
    private let use = DeviceApp(account: "anna", bundleIdentifier: "com.example.fruit", device: "phone")
    private let start = TestClock().now

    @Test("A use is recorded once an hour")
    func hourly() {
        let uses = DeviceUses()
        #expect(uses.isDue(use, now: start))
        #expect(!uses.isDue(use, now: start + .seconds(3599)))
        #expect(uses.isDue(use, now: start + .seconds(3600)))
    }

    @Test("A use that couldn't be recorded is recorded some minutes later, and not at the next heartbeat")
    func failure() {
        let uses = DeviceUses()
        #expect(uses.isDue(use, now: start))
        uses.noteFailure(of: use, now: start)

        #expect(!uses.isDue(use, now: start + .seconds(20)))
        #expect(uses.isDue(use, now: start + DeviceUses.retryPause))
        #expect(!uses.isDue(use, now: start + DeviceUses.retryPause + .seconds(20)))
    }
}
