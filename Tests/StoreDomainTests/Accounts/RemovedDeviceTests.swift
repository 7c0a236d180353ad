// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The list of an account's devices, and a device that its customer removes.
struct RemovedDeviceTests {
    @Test("A customer sees every device with its last use and its apps", arguments: Engine.stores)
    func list(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let berta = try await store.addAccount("berta@example.com")
            let (phone, tablet, other) = (
                try await store.addDevice(1), try await store.addDevice(2), try await store.addDevice(3)
            )
            for device in [phone, tablet] { try await device.signIn(anna) }
            try await other.signIn(berta)
            store.clock.advance(by: .seconds(3600))
            _ = try await store.service.feed(
                EventSubscription(
                    credentials: tablet.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))

            let devices = try await store.service.devices(of: anna)

            #expect(devices.map(\.identifier.rawValue) == [tablet, phone].map(\.credentials.identifier))
            #expect(devices.map(\.seen) == [store.clock.now, store.clock.now - .seconds(3600)])
            // Each uses the app since its sign-in.
            let app = BundleIdentifier(TestStore.bundleIdentifier)
            #expect(devices.map(\.apps) == [[app], [app]])
        }
    }

    @Test("A removed device is signed out, and its stream notifies the app", arguments: Engine.stores)
    func removed(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let berta = try await store.addAccount("berta@example.com")
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            var events = try await phone.connection.events(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil)
            ).makeAsyncIterator()
            _ = try await events.next()
            let device = DeviceIdentifier(phone.credentials.identifier)

            await #expect(throws: DomainError(.notFound, "")) { try await store.service.remove(device, of: berta) }
            try await store.service.remove(device, of: anna)

            #expect(try await events.next()?.content is AccountChangedEvent)
            #expect(try await phone.receiptAnswer().receipt == nil)
            #expect(try await store.service.devices(of: anna).isEmpty)
            await #expect(throws: DomainError(.notFound, "")) { try await store.service.remove(device, of: anna) }
        }
    }

    @Test("The unfinished consumable of a removed device goes to another one", arguments: Engine.stores)
    func consumable(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let (phone, tablet) = (try await store.addDevice(1), try await store.addDevice(2))
            let juice = try await phone.buy("juice", request: "juice", as: anna)
            try await tablet.buy("apple", request: "apple", as: anna)
            for device in [phone, tablet] {
                let use = DeviceApp(
                    account: anna.identifier, bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier),
                    device: DeviceIdentifier(device.credentials.identifier))
                try await RecordingDeviceUse(store.context)(use)
            }

            try await store.service.remove(DeviceIdentifier(phone.credentials.identifier), of: anna)
            try await HandingOverConsumables(store.context)() { _ in }

            #expect(try await phone.queue().isEmpty)
            #expect(try await tablet.queue().contains { $0.transactionIdentifier == juice.transactionIdentifier })
        }
    }
}
