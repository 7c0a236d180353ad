// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreTestSupport
import Testing

@testable import StoreKit

struct AgentHostTests {
    private func configuration(home: URL) -> StoreKitConfiguration {
        var configuration = StoreKitConfiguration()
        configuration.home = home
        configuration.bundleIdentifier = "com.example.fruit"
        return configuration
    }

    @Test("The device has the same identifier after a stop and a start")
    func theDeviceIsTheSameAfterStopAndStart() async throws {
        let folder = try TemporaryFolder()
        let host = AgentHost()
        #expect(host.use(configuration(home: folder.url)))

        let first = try host.agent()
        let device = first.deviceIdentifier
        await host.stop()
        let second = try host.agent()

        #expect(device.count == 16)
        #expect(second !== first)
        #expect(second.deviceIdentifier == device)
        #expect(second.receiptURL.lastPathComponent == "sandboxReceipt")
        await host.stop()
    }

    @Test("The first use of the agent fixes its configuration")
    func theConfigurationIsFixedByTheFirstUse() async throws {
        let folder = try TemporaryFolder()
        let host = AgentHost()
        #expect(host.use(configuration(home: folder.url)))
        _ = try host.agent()

        #expect(host.use(StoreKitConfiguration()) == false)
        await host.stop()
    }

    @Test("An invalid configuration fails every use of the agent")
    func aConfigurationThatCannotWorkFailsEveryUseAndStopsNothing() throws {
        let folder = try TemporaryFolder()
        let host = AgentHost()
        var wrong = configuration(home: folder.url)
        wrong.sheet = "carrier pigeon"
        #expect(host.use(wrong))

        #expect(throws: AgentError.self) { try host.agent() }
        #expect(throws: AgentError.self) { try host.agent() }
    }

    @Test("The device's restriction holds before the agent has started")
    func theDevicesRestrictionHoldsWithoutAnAgent() throws {
        let folder = try TemporaryFolder()
        let host = AgentHost()
        let configuration = configuration(home: folder.url)
        #expect(host.use(configuration))
        let restrictions = DeviceRestrictions(home: try #require(configuration.home))

        #expect(host.canMakePayments)
        try restrictions.allow(inAppPurchases: false)
        #expect(!host.canMakePayments)
        try restrictions.allow(inAppPurchases: true)
        #expect(host.canMakePayments)
    }
}
