// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Payments for which no device asks: renewals of a subscription.
struct DevicelessPaymentTests {
    @Test(
        "A payment without a device is recovered, delivered and refunded; its payer is charged",
        arguments: Engine.stores)
    func renewed(engine: Engine) async throws {
        try await engine.withStore { store in
            let subscription = try await Subscription(in: store)
            let payer = try await store.addAccount("parent@example.com")
            try await subscription.pay("p1", by: payer)

            try await store.recover()

            let renewal = try #require(try await subscription.renewals().first)
            #expect(try await store.ledger() == [1490, 1490])
            let charged = "account_id = '\(payer.identifier)' AND payment_number = 'p1' AND kind = 'charge'"
            #expect(try await store.count("ledger_entry", where: charged) == 1)
            #expect(
                try await store.count("purchase", where: "account_id = '\(subscription.anna.identifier)'") == 2)
            #expect(try await subscription.phone.queue().map(\.transactionIdentifier).contains(renewal.rawValue))
            try await store.checkMoney()

            try await store.service.refund(renewal, amount: "0.40")
            #expect(try await subscription.phone.queue().count == 1)
            try await store.service.refund(renewal)

            #expect(try await store.ledger() == [1490, 1490, -400, -1090])
            #expect(try await store.count("purchase", where: "revoked_at IS NOT NULL") == 1)
            #expect(try await store.count("payment", where: "payment_number = 'p1' AND status = 'refunded'") == 1)
            #expect(
                try await store.count("ledger_entry", where: "kind = 'refund' AND account_id = '\(payer.identifier)'")
                    == 2)
            try await store.checkMoney()
        }
    }

    @Test("A process dies at each step of a payment without a device, which is made once", arguments: Engine.stores)
    func dying(engine: Engine) async throws {
        for step in [
            "authorise:before", "authorise:after", "commit:before", "commit:after", "capture:before", "capture:after",
        ] {
            try await engine.withMortalStore(dyingAt: step) { dying, database, revive in
                // The steps of the first purchase aren't meant.
                let living = try await revive()
                let subscription = try await Subscription(in: living)
                try await subscription.pay("p1", by: subscription.anna)
                try? await dying.recover()
                #expect(database.isDead, "\(step) wasn't reached")

                try await living.recover()

                #expect(try await living.ledger() == [1490, 1490], "\(step)")
                #expect(try await subscription.renewals().count == 1, "\(step)")
                try await living.checkMoney()
            }
        }
    }

    @Test(
        "A declined payment without a device makes no purchase, and neither does one of no subscription",
        arguments: Engine.stores)
    func refused(engine: Engine) async throws {
        try await engine.withStore { store in
            let subscription = try await Subscription(in: store)
            try await subscription.pay("unknown", by: subscription.anna, original: "2000000000000000")
            try await store.recover()
            store.cardLimit.milliunits = 0
            try await subscription.pay("declined", by: subscription.anna)
            try await store.recover()

            #expect(try await subscription.renewals().isEmpty)
            #expect(try await store.payment("voided") == "unknown")
            #expect(try await store.payment("declined") == "declined")
            #expect(try await store.ledger() == [1490])
            try await store.checkMoney()
        }
    }

    @Test("A payment without a device may be confirmed later, by its payer", arguments: Engine.stores)
    func pending(engine: Engine) async throws {
        try await engine.withStore { store in
            let subscription = try await Subscription(in: store)
            let payer = try await store.addAccount("parent@example.com")
            try await store.answerPayments { $0.hasAction = true }
            try await subscription.pay("p1", by: payer)
            try await store.recover()

            let waiting = try await ListingPayments(store.context)()
            #expect(waiting.map(\.email) == ["parent@example.com"])
            #expect(waiting.map(\.productIdentifier) == ["weekly"])
            let refusal = await #expect(throws: DomainError.self) {
                try await ClosingAccount(store.context)(email: payer.email)
            }
            #expect(refusal?.code == .underWay)

            try await store.service.answerOnPage("p1", isConfirmed: true)
            #expect(try await subscription.renewals().count == 1)
            try await store.checkMoney()
        }
    }

    @Test("A payment is for a request or for a renewal, not for both or for none", arguments: Engine.stores)
    func purposes(engine: Engine) async throws {
        try await engine.withStore { store in
            let subscription = try await Subscription(in: store)
            for values in ["NULL, NULL, NULL", "'d', 'r', 't'", "'d', NULL, NULL", "NULL, 'r', 't'"] {
                await #expect(throws: DatabaseError.self, "\(values)") {
                    try await subscription.insert(values, number: "p", payer: subscription.anna)
                }
            }
        }
    }
}

/// A weekly subscription whose next payment a test reserves.
private struct Subscription {
    let store: TestStore
    let anna: Account
    let phone: TestDevice
    let first: TransactionIdentifier

    init(in store: TestStore) async throws {
        self.store = store
        let customer = try await store.customer()
        anna = customer.account
        phone = customer.phone
        try await store.sellBaskets()
        let basket = try await phone.buy("weekly", request: "first", as: anna)
        first = TransactionIdentifier(basket.transactionIdentifier)
        try await RecordingDeviceUse(store.context)(
            DeviceApp(
                account: anna.identifier, bundleIdentifier: BundleIdentifier(TestStore.bundleIdentifier),
                device: DeviceIdentifier(rawValue: phone.credentials.identifier)))
    }

    /// Reserves the payment of the next renewal, at the end of the period: a
    /// period isn't given for another amount than its price.
    func pay(_ number: String, by payer: Account, original: String? = nil) async throws {
        if original == nil {
            store.clock.advance(by: .seconds(7 * 86400))
            try await agree(to: payer)
            try await store.run("UPDATE subscription SET payment_number = '\(number)', due_at = NULL")
        }
        try await insert("NULL, NULL, '\(original ?? first.rawValue)'", number: number, payer: payer)
    }

    /// Lets an account pay the renewals: another one than the subscriber's is
    /// a parent.
    private func agree(to payer: Account) async throws {
        guard payer.identifier != anna.identifier else { return }
        _ = try await store.families.begin(organiser: payer.email)
        _ = try await store.families.add(anna.email, as: .child, organiser: payer.email)
        try await store.run("UPDATE subscription SET payer_id = '\(payer.identifier)'")
    }

    /// Inserts a reserved payment with a device, a request and an original
    /// purchase.
    func insert(_ purpose: String, number: String, payer: Account) async throws {
        try await store.run(
            """
            INSERT INTO payment (environment, payment_number, device_id, request_id, original_transaction_id,
                account_id, payer_id, milliunits, currency, storefront, status, created_at, bucket,
                payer_bucket)
            VALUES ('Sandbox', '\(number)', \(purpose), '\(anna.identifier)', '\(payer.identifier)', 1490, 'USD',
                'USA', 'reserved', \(store.clock.now.milliseconds), \(anna.identifier.bucket),
                \(payer.identifier.bucket))
            """)
    }

    /// The purchases that no device asked for.
    func renewals() async throws -> [TransactionIdentifier] {
        try await store.context.database.read { connection in
            try connection.rows(
                """
                SELECT transaction_id FROM purchase WHERE device_id IS NULL AND request_id IS NULL
                    AND original_transaction_id = $1
                """, [first]
            ).map { try $0.get("transaction_id") }
        }
    }
}
