// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreMeasurement
import StoreService
import StoreTestSupport
import Testing

/// Which devices receive a purchase that no app asked for, and who holds an
/// unfinished consumable.
struct DeviceAppTests {
    @Test("A resolved interruption reaches every device that uses the app", arguments: Engine.stores)
    func everyDevice(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, tablet) = try await interrupted("apple", store)

            try await store.service.resolve(try await store.onlyUndecided())

            #expect(try await phone.queue().map(\.productIdentifier) == ["apple"])
            #expect(try await tablet.queue().map(\.productIdentifier) == ["apple"])
            try await tablet.finish(try #require(try await tablet.queue().first).transactionIdentifier)
            #expect(try await phone.queue().isEmpty)
        }
    }

    @Test("The time of the first use stays, and that of the last one moves", arguments: Engine.stores)
    func firstAndLastUse(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            let first = store.clock.now.milliseconds
            try await use(phone, store)
            #expect(
                try await store.count("device_app", where: "first_seen_at = \(first) AND last_seen_at = \(first)") == 1)

            store.clock.advance(by: .seconds(2 * 60 * 60))
            try await use(phone, store)

            let last = store.clock.now.milliseconds
            #expect(
                try await store.count("device_app", where: "first_seen_at = \(first) AND last_seen_at = \(last)") == 1)
        }
    }

    @Test("A device that only asked for the receipt uses the app", arguments: Engine.stores)
    func receiptOnly(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(1)
            let tablet = try await store.addDevice(9)
            try await tablet.signIn(anna.account)
            _ = try await tablet.receiptAnswer()

            try await anna.buy("small")

            #expect(try await tablet.queue().map(\.productIdentifier) == ["small"])
        }
    }

    @Test("A device uses the app in which it signed in, also before it asks for anything", arguments: Engine.stores)
    func signInOnly(engine: Engine) async throws {
        try await engine.withStore { store in
            try await store.sellBaskets()
            let anna = try await store.subscriber(1)
            let tablet = try await store.addDevice(9)
            try await tablet.signIn(anna.account)

            try await anna.buy("small")

            #expect(try await tablet.queue().map(\.productIdentifier) == ["small"])
        }
    }

    @Test("An unfinished consumable has one holder", arguments: Engine.stores)
    func oneHolder(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, tablet) = try await interrupted("juice", store)

            try await store.service.resolve(try await store.onlyUndecided())

            #expect(try await phone.queue().count == 1)
            #expect(try await tablet.queue().isEmpty)
        }
    }

    @Test("Another device gets a consumable whose holder has signed out", arguments: Engine.stores)
    func signedOut(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, tablet) = try await interrupted("juice", store)
            try await store.service.resolve(try await store.onlyUndecided())
            _ = try await phone.call(SignOutCall(requestIdentifier: "out"))

            let accounts = try await handOver(store)

            #expect(accounts.count == 1)
            #expect(try await tablet.queue().map(\.productIdentifier) == ["juice"])
            #expect(try await tablet.queue().map(\.requestIdentifier) == [nil])
            #expect(try await handOver(store).isEmpty)
        }
    }

    @Test("Another device gets a consumable whose holder wasn't seen for a day", arguments: Engine.stores)
    func absent(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, tablet) = try await interrupted("juice", store)
            try await store.service.resolve(try await store.onlyUndecided())
            store.clock.advance(by: .seconds(23 * 60 * 60))
            #expect(try await handOver(store).isEmpty)
            store.clock.advance(by: .seconds(2 * 60 * 60))

            // The tablet is used again, the phone isn't.
            try await use(tablet, store)
            _ = try await handOver(store)

            #expect(try await phone.queue().isEmpty)
            #expect(try await tablet.queue().count == 1)
        }
    }

    @Test("A consumable stays with its holder when the account uses no other device", arguments: Engine.stores)
    func noOther(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("juice", request: "1", as: anna)
            store.clock.advance(by: .seconds(7 * 24 * 60 * 60))

            #expect(try await handOver(store).isEmpty)
            #expect(try await phone.queue().count == 1)
        }
    }

    @Test("A device that was away learns that another one has its consumable", arguments: Engine.stores)
    func formerHolder(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, tablet) = try await interrupted("juice", store)
            try await store.service.resolve(try await store.onlyUndecided())
            let transaction = try #require(try await phone.queue().first).transactionIdentifier
            let seen = try #require(
                try await phone.call(QueueCall(bundleIdentifier: TestStore.bundleIdentifier)).position)
            store.clock.advance(by: .seconds(25 * 60 * 60))
            try await use(tablet, store)
            #expect(try await handOver(store).count == 1)

            let feed = try await store.service.feed(
                EventSubscription(
                    credentials: phone.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: seen))

            let next = EventPosition(account: seen.account, number: seen.number + 1)
            let removed = StoreEvent.removed(
                transactionIdentifier: transaction, receiptChanged: false, next)
            guard case .event(removed) = try await feed.next() else {
                Issue.record("The phone keeps the consumable.")
                return
            }
        }
    }

    @Test(
        "A consumable that its former holder delivered offline isn't delivered again", arguments: Engine.stores)
    func deliveredOffline(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, tablet) = try await interrupted("juice", store)
            let stranger = try await store.addDevice(3)
            try await stranger.signIn(try await store.addAccount("berta@example.com"))
            try await store.service.resolve(try await store.onlyUndecided())
            let transaction = try #require(try await phone.queue().first).transactionIdentifier
            store.clock.advance(by: .seconds(25 * 60 * 60))
            try await use(tablet, store)
            #expect(try await handOver(store).count == 1)

            try await stranger.finish(transaction)
            #expect(try await tablet.queue().count == 1)

            try await phone.finish(transaction)
            #expect(try await tablet.queue().isEmpty)
        }
    }

    @Test(
        "A finish counts that each of the former holders had saved before it signed out", arguments: Engine.stores,
        1...3)
    func finishedBeforeSigningOut(engine: Engine, finisher: Int) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            var devices: [TestDevice] = []
            for number in 1...4 {
                let device = try await store.addDevice(UInt8(number))
                try await device.signIn(anna)
                if number == 1 { try await device.buy("juice", request: "1", as: anna) }
                try await use(device, store)
                devices.append(device)
            }
            let transaction = try #require(try await devices[0].queue().first).transactionIdentifier
            var holder = 0
            for _ in 1...3 {
                _ = try await devices[holder].call(SignOutCall(requestIdentifier: "out"))
                #expect(try await handOver(store).count == 1)
                for index in devices.indices {
                    let name = devices[index].credentials.identifier
                    if try await store.count("queue_entry", where: "device_id = '\(name)'") == 1 { holder = index }
                }
            }

            let former = devices.indices.filter { $0 != holder }
            try await devices[former[finisher - 1]].finish(transaction)

            #expect(try await store.count("queue_entry") == 0)
        }
    }

    @Test("Every abandoned consumable is found among those that aren't, page by page", arguments: Engine.stores)
    func pages(engine: Engine) async throws {
        for size in [1, 2, 4, 5] {
            try await engine.withStore { store in
                let anna = try await store.addAccount()
                let phones = [try await store.addDevice(1), try await store.addDevice(2)]
                for phone in phones {
                    for request in ["1", "2"] { try await phone.buy("juice", request: request, as: anna) }
                    try await use(phone, store)
                }
                let berta = try await store.addAccount("berta@example.com")
                try await store.addDevice(3).buy("juice", request: "1", as: berta)
                store.clock.advance(by: .seconds(25 * 60 * 60))
                try await use(phones[1], store)

                #expect(try await handOver(store, inPagesOf: size).count == 2, "pages of \(size)")

                #expect(try await phones[1].queue().count == 4, "pages of \(size)")
            }
        }
    }

    @Test("A consumable stays where it is when all devices were away", arguments: Engine.stores)
    func allAway(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, _) = try await interrupted("juice", store)
            try await store.service.resolve(try await store.onlyUndecided())
            store.clock.advance(by: .seconds(7 * 24 * 60 * 60))

            #expect(try await handOver(store).isEmpty)
            #expect(try await phone.queue().count == 1)
        }
    }

    @Test("A device that has just signed in keeps its purchases", arguments: Engine.stores)
    func newDevice(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let tablet = try await store.addDevice(2)
            try await tablet.signIn(anna)
            try await use(tablet, store)
            let watch = try await store.addDevice(3)

            // Its stream isn't open yet, so that its use isn't recorded.
            try await watch.buy("juice", request: "1", as: anna)

            #expect(try await handOver(store).isEmpty)
            #expect(try await watch.queue().count == 1)
        }
    }

    /// As after a restart of the store, or at another node: that process
    /// doesn't know which uses are recorded.
    @Test("A use that another process has recorded within the hour is not written again", arguments: Engine.stores)
    func recordedOnce(engine: Engine) async throws {
        try await engine.withDatabase(hasTables: true) { opened in
            let database = RecordingDatabase(opened)
            let store = try await TestStore(database)
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.signIn(anna)
            let use = DeviceApp(
                account: anna.identifier, bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier),
                device: DeviceIdentifier(phone.credentials.identifier))
            func commits(_ use: DeviceApp) async throws -> Int {
                let before = database.count
                try await RecordingDeviceUse(store.context)(use)
                return (database.count - before).commits
            }

            // The sign-in has recorded it.
            #expect(try await commits(use) == 0)
            store.clock.advance(by: DeviceApp.recordingInterval - .seconds(1))
            #expect(try await commits(use) == 0)
            store.clock.advance(by: .seconds(1))
            #expect(try await commits(use) == 1)
            _ = try await phone.call(SignOutCall(requestIdentifier: "out"))
            store.clock.advance(by: DeviceApp.recordingInterval)
            #expect(try await commits(use) == 0)
        }
    }

    /// The accounts whose devices received a consumable.
    private func handOver(_ store: TestStore, inPagesOf size: Int = 100) async throws -> [AccountIdentifier] {
        var accounts: [AccountIdentifier] = []
        var failures: [any Error] = []
        try await HandingOverConsumables(store.context)(inPagesOf: size) { report in
            switch report {
            case .success(let account): accounts.append(account)
            case .failure(let error): failures.append(error)
            }
        }
        if let failure = failures.first { throw failure }
        return accounts
    }

    /// An account on two devices that use the app, with an interrupted payment
    /// of the first.
    private func interrupted(_ product: String, _ store: TestStore) async throws -> (TestDevice, TestDevice) {
        let (anna, phone) = try await store.interruptedCustomer()
        let tablet = try await store.addDevice(2)
        try await tablet.signIn(anna)
        try await use(tablet, store)
        try await use(phone, store)
        let sheet = try phone.token(try await phone.ask(product, request: "1").sheet)
        _ = try await store.service.buy(onSheet: sheet, as: anna, shown: nil)
        return (phone, tablet)
    }

    /// Opens the app's event stream, as a running app does.
    private func use(_ device: TestDevice, _ store: TestStore) async throws {
        _ = try await store.service.feed(
            EventSubscription(
                credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
    }
}
