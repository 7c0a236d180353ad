// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

/// The store's handling of the values that apps keep for an account.
struct KeyValueTests {
    @Test("A device reads the values of another; the last write wins", arguments: Engine.stores)
    func lastWins(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, tablet) = try await store.twoDevices()
            let first = try await phone.exchange([("level", "1", 1), ("name", "Anna", 2)])
            let second = try await tablet.exchange([("level", "2", 1)])
            #expect(second.isWhole && Set(second.values) == [.init("level", "2"), .init("name", "Anna")])

            let third = try await phone.exchange([], after: first.position)
            #expect(!third.isWhole && third.values == [.init("level", "2")])
            let fourth = try await phone.exchange([("name", nil, 3)], after: third.position)
            #expect(fourth.values.isEmpty)
            #expect(try await tablet.exchange([], after: second.position).values == [.init("name", nil)])
        }
    }

    @Test("A closed account keeps nothing, and others keep theirs", arguments: Engine.stores)
    func closed(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, _) = try await store.twoDevices()
            let watch = try await store.addDevice(3)
            try await watch.signIn(try await store.addAccount("ben@example.com"))
            _ = try await phone.exchange([("level", "1", 1)])
            _ = try await watch.exchange([("level", "2", 1)])

            try await ClosingAccount(store.context)(email: "anna@example.com")

            #expect(try await store.count("key_value") == 1)
            #expect(try await store.count("key_value", where: "value = '1'") == 0)
        }
    }

    @Test("A repeated message writes nothing again", arguments: Engine.stores)
    func repeats(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, tablet) = try await store.twoDevices()
            _ = try await phone.exchange([("level", "1", 1)])
            _ = try await tablet.exchange([("level", "2", 1)])

            // The answer to the first was lost.
            let again = try await phone.exchange([("level", "1", 1)])

            #expect(again.values == [.init("level", "2")])
        }
    }

    @Test("No account signed in: nothing is written, and there is no position", arguments: Engine.stores)
    func signedOut(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            let answer = try await phone.exchange([("level", "1", 1)])
            #expect(answer.position == nil)
            #expect(try await store.count("key_value") == 0)
        }
    }

    @Test("A value written for another account isn't written for this one", arguments: Engine.stores)
    func otherAccount(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            try await phone.signIn(try await store.addAccount())
            let anna = try await phone.exchange([("level", "1", 1)])
            // Confirming a purchase signs the account in on the device.
            try await phone.buy("juice", request: "r", as: try await store.addAccount("berta@example.com"))

            let berta = try await phone.exchange([("level", "2", 2)], after: anna.position)

            #expect(berta.isWhole && berta.values.isEmpty)
            #expect(try await store.count("key_value") == 1)
        }
    }

    @Test(
        "A repeat that finds another account signed in writes nothing, and gets that account's values",
        arguments: Engine.stores)
    func repeatForAnotherAccount(engine: Engine) async throws {
        try await engine.withStore { store in
            let phone = try await store.addDevice()
            try await phone.signIn(try await store.addAccount())
            let anna = try await phone.exchange([("level", "1", 1)])
            #expect(anna.isWhole && anna.values == [.init("level", "1")])
            try await phone.buy("juice", request: "r", as: try await store.addAccount("berta@example.com"))

            // The answer to the first was lost.
            let berta = try await phone.exchange([("level", "1", 1)])

            #expect(berta.isWhole && berta.values.isEmpty)
        }
    }

    @Test("There is room for 1024 keys and a megabyte; more is refused", arguments: Engine.stores)
    func limits(engine: Engine) async throws {
        try await engine.withStore { store in
            let (phone, tablet) = try await store.twoDevices()
            let keys: [(key: String, text: String?, sequence: Int64)] = (1...1025).map {
                ("key\($0)", "x", Int64($0))
            }
            let first = try await phone.exchange(keys)
            #expect(first.refused == [.init("key1025", nil)])
            #expect(try await store.count("key_value") == 1024)

            let large = String(repeating: "x", count: 1 << 20)
            let second = try await tablet.exchange([("key1", large, 1), ("key2", "y", 2)])
            #expect(second.refused == [.init("key1", "x")])

            for key in [String(repeating: "é", count: 33), ""] {
                let error = await #expect(throws: StoreFailure.self) { try await phone.exchange([(key, "x", 2000)]) }
                #expect(error?.code == .invalid)
            }
            let twice = await #expect(throws: StoreFailure.self) {
                try await phone.exchange([("key1", "x", 2000), ("key1", "y", 2001)])
            }
            #expect(twice?.code == .invalid)
        }
    }
}

extension KeyValueInfo {
    init(_ key: String, _ text: String?) {
        self.init(key: key, value: text.map { Data($0.utf8).base64EncodedString() })
    }
}

extension TestDevice {
    func exchange(
        _ writes: [(key: String, text: String?, sequence: Int64)], after position: EventPosition? = nil
    ) async throws -> KeyValuesCall.Answer {
        try await call(
            KeyValuesCall(
                bundleIdentifier: TestStore.bundleIdentifier,
                writes: writes.map { write in
                    let info = KeyValueInfo(write.key, write.text)
                    return KeyValueWrite(key: info.key, value: info.value, sequence: write.sequence)
                }, position: position))
    }
}

extension TestStore {
    /// Two devices of one account.
    func twoDevices() async throws -> (TestDevice, TestDevice) {
        let anna = try await addAccount()
        let devices = (try await addDevice(1), try await addDevice(2))
        try await devices.0.signIn(anna)
        try await devices.1.signIn(anna)
        return devices
    }
}
