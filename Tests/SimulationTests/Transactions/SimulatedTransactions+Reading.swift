// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

@testable import StoreAgent
@testable import StoreKit

/// The lists of StoreKit 2, read by an app.
extension SimulatedTransactions {
    typealias Reading = @Sendable (Agent) async throws -> VerificationResult<Transaction>?

    /// Reads a list to its end. Throws when the journal can't be read.
    func read(_ next: Reading) async throws -> [Transaction] {
        var listed: [Transaction] = []
        while let result = try await next(agent) {
            witness?.isVerified(result, "a list of \(life.name)")
            listed.append(result.unsafePayloadValue)
        }
        return listed
    }

    func all() async throws -> [Transaction] {
        let listing = TransactionListing(.all)
        return try await read { try await listing.next($0) }
    }

    func unfinished() async throws -> [Transaction] {
        let listing = TransactionListing(.unfinished)
        return try await read { try await listing.next($0) }
    }

    func entitlements() async throws -> [Transaction] {
        let listing = EntitlementListing()
        return try await read { try await listing.next($0) }
    }

    /// Asks the store for changes, as `AppStore.sync` does, and waits for the
    /// answer.
    ///
    /// - Returns: whether there is one.
    func synchronize() async throws -> Bool {
        try await agent.useSignedTransactions()
        let request = try await agent.refreshSignedTransactions()
        return try await agent.waitForSignedAnswer(to: request, atMost: .seconds(30))
    }

    /// Checks that `Transaction.unfinished` has each transaction once, and
    /// none that the app has finished before.
    func readUnfinished() {
        start { [self] in
            let begun = world.scheduler.now
            guard let listed = try? await unfinished(), life.isAlive else { return }
            let numbers = listed.map(\.number)
            if Set(numbers).count != numbers.count {
                witness?.complain("\(life.name) has an unfinished transaction twice: \(numbers)")
            }
            for number in numbers where witness?.isFinished(number, at: place, before: begun) == true {
                // A purchase that was unfinished on a device when it was refunded is delivered again when the refund is
                // taken back, to all devices.
                if entry(of: number)?.changesPlan != true, witness?.isReinstated(number) != true {
                    witness?.complain("\(number) was finished by \(place) and is unfinished")
                }
            }
        }
    }

    /// Checks that no entitlement is a purchase of which the journal has the
    /// refund.
    func readEntitlements() {
        start { [self] in
            guard let position = try? agent.journal.signedPosition(), let listed = try? await entitlements(),
                life.isAlive, let books = try? Books(world)
            else { return }
            for transaction in listed {
                guard let revoked = books.standingRevocations[transaction.number], revoked.account == position.account,
                    revoked.number <= position.number
                else { continue }
                witness?.complain("\(transaction.number) is an entitlement of \(life.name) after its refund")
            }
        }
    }
}

extension Journal {
    /// The number of the event up to which the signed transactions are
    /// complete.
    fileprivate func signedPosition() throws -> EventPosition? {
        try database.readAndWait { try SignedState.load($0).position }
    }
}
