// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A process beside which a newer version has changed the schema.
@Suite(.timeLimit(.hang))
struct DrainingTests {
    private func subscription(_ device: TestDevice) -> EventSubscription {
        EventSubscription(
            credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil)
    }

    @Test("It refuses new work with a code that devices repeat, and ends its streams", arguments: Engine.servers)
    func refusing(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let token = try phone.token(try await phone.ask("apple", request: "1").sheet)
            let feed = try await store.service.feed(subscription(phone))
            _ = try await feed.next()

            await store.service.checkSchema()
            #expect(!store.service.isSuperseded)
            try await store.recordNewerSchema()
            await store.service.checkSchema()

            #expect(store.service.isSuperseded)
            #expect(try await feed.next() == nil)
            let refusals: [@Sendable () async throws -> Void] = [
                { _ = try await phone.ask("pear", request: "2") },
                { _ = try await store.service.feed(self.subscription(phone)) },
                { _ = try await store.service.buy(onSheet: token, as: anna, shown: nil) },
                { _ = try await store.service.cancelSheet(token) },
            ]
            for refused in refusals {
                let failure = await #expect(throws: StoreFailure.self) { try await refused() }
                #expect(failure?.code == .unavailable && failure?.retryAfter == 2)
            }
            #expect(try await store.count("request") == 1)
        }
    }

    @Test("It isn't ready, and answers devices with 503 and Retry-After", arguments: Engine.servers)
    func ready(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let phone = try await store.addDevice()
            #expect(try await client.get("/readyz").status == .ok)

            try await store.recordNewerSchema()
            await store.service.checkSchema()

            #expect(try await client.get("/readyz").status == .serviceUnavailable)
            #expect(try await client.get("/healthz").status == .ok)
            let answer = try await client.post(
                "/device/v1/events", "{\"apps\":[{\"bundleIdentifier\":\"\(TestStore.bundleIdentifier)\"}]}",
                headers: phone.headers)
            #expect(answer.status == .serviceUnavailable && answer.code == "unavailable")
            #expect(answer.headers[.retryAfter] == "2")
        }
    }

    @Test(
        "It answers /verifyReceipt, and 21005 when it can't read the newer version's tables",
        arguments: Engine.servers)
    func verifyReceipt(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: anna)
            let receipt = try #require(try await phone.receiptAnswer().receipt)
            func status() async throws -> Int? {
                let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"}")
                #expect(response.status == .ok)
                return try response.object()["status"] as? Int
            }
            try await store.recordNewerSchema()
            await store.service.checkSchema()
            #expect(try await status() == 0)

            try await store.context.database.write { _ = try $0.run("ALTER TABLE purchase RENAME TO sale") }
            #expect(try await status() == 21005)
        }
    }

    @Test("It answers /verifyReceipt with 21005 before it has noticed the newer schema", arguments: Engine.servers)
    func verifyReceiptBefore(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("apple", request: "1", as: anna)
            let receipt = try #require(try await phone.receiptAnswer().receipt)

            try await store.recordNewerSchema()
            try await store.context.database.write { _ = try $0.run("ALTER TABLE purchase RENAME TO sale") }

            let response = try await client.post("/verifyReceipt", "{\"receipt-data\":\"\(receipt)\"}")
            #expect(try response.object()["status"] as? Int == 21005)
            #expect(store.service.isSuperseded)
        }
    }
}
