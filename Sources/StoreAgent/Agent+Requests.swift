// SPDX-License-Identifier: Apache-2.0

package import StoreAPI
import StoreCore
import StoreDatabase

extension Agent {
    /// Requests products from the store.
    ///
    /// Products and identifiers in the answer that weren't requested, and
    /// repetitions, are left out. An identifier that is longer than a
    /// product's can be is returned as invalid and not sent.
    ///
    /// - Throws: ``PurchaseFailure``, `CancellationError`.
    package func products(_ identifiers: [String]) async throws -> ProductsCall.Answer {
        do {
            let asked = identifiers.filter { AppText.refusal(of: $0) == nil }
            var answer = try await store.call(
                ProductsCall(
                    bundleIdentifier: configuration.bundleIdentifier, productIdentifiers: asked,
                    languages: configuration.languages))
            answer.invalidProductIdentifiers += identifiers.filter { AppText.refusal(of: $0) != nil }
            var known = Set(identifiers)
            var invalid = known
            answer.products.removeAll { known.remove($0.productIdentifier) == nil }
            answer.invalidProductIdentifiers.removeAll { invalid.remove($0) == nil }
            try await journal.learn(storefront: answer.storefront)
            return answer
        } catch {
            try Task.checkCancellation()
            throw PurchaseFailure(error)
        }
    }

    /// Replaces the receipt on disk by a current one; the customer may have
    /// to sign in.
    ///
    /// A process of the app must run ``run()``. Only a sandbox accepts
    /// `properties`.
    ///
    /// - Throws: ``PurchaseFailure``, `CancellationError`, `DatabaseError` when
    ///   the journal can't be written.
    package func refreshReceipt(_ properties: ReceiptProperties? = nil) async throws {
        let identifier = random.hexadecimal(bytes: 16)
        let asked = AppRequest(
            identifier: identifier, kind: .refresh, process: presence.identifier, properties: properties)
        try await journal.database.write { connection in try asked.insert(connection) }
        synchronizer.changed()
        let outcome = Completion()
        delivery.wait(for: identifier) { result in
            outcome.decide(result.mapError { $0 })
        }
        defer { delivery.forget(identifier) }
        try await outcome.wait()
    }

    /// Shows the sheet on which the customer redeems a code. Does nothing
    /// while one is open.
    ///
    /// The request is durable when this returns; a later process continues
    /// it. The purchase is delivered as one that no app has asked for, and a
    /// failure is shown on the sheet only.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written.
    package func presentCodeRedemption() throws {
        try show(.redemption)
    }

    /// Shows the sheet on which the customer agrees to a price increase, if
    /// one waits for the consent. Does nothing while one is open.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written.
    package func showPriceConsent() throws {
        try show(.priceConsent)
    }

    /// Shows the sheet on which the customer redeems a code, like
    /// ``presentCodeRedemption()``, without blocking the thread.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written.
    package func beginCodeRedemption() async throws {
        try await blocking { try self.show(.redemption) }
    }

    /// Shows the sheet on which the customer agrees to a price increase, like
    /// ``showPriceConsent()``, without blocking the thread.
    ///
    /// - Throws: `DatabaseError` when the journal can't be written.
    package func beginPriceConsent() async throws {
        try await blocking { try self.show(.priceConsent) }
    }

    private func show(_ kind: AppRequest.Kind) throws {
        let asked = AppRequest(
            identifier: random.hexadecimal(bytes: 16), kind: kind, process: presence.identifier)
        guard try journal.addFirst(asked, isAlive: { [presence] in presence.isAlive($0) }) else { return }
        synchronizer.changed()
    }
}
