// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDatabase

@testable import StoreAgent

extension SimulatedDevice {
    /// The device's identifier at the store.
    var identifier: String? { processes.first?.agent.identity.credentials.identifier }

    /// Whether the device has no work left for the account that is signed in.
    func isSettled(_ books: Books) -> Bool { unsettled(books).isEmpty }

    /// Descriptions of the work that the device has left.
    func unsettled(_ books: Books) -> [String] {
        bundles.flatMap { bundle in
            guard let app = processes.first(where: { $0.bundle == bundle }) else { return ["no process of \(bundle)"] }
            return app.unsettled(books)
        }
    }
}

extension SimulatedApp {
    /// The account that is signed in on the device.
    func account(_ books: Books) -> String? { books.accounts[agent.identity.credentials.identifier] }

    /// The event position of the receipt, as the journal records it.
    var journalledReceipt: EventPosition? { try? agent.journal.state().receipt }

    /// The device's event position.
    var position: EventPosition? { try? agent.journal.state().position }

    /// The values that the app keeps for the account, in base64.
    var kept: [String: String]? { try? agent.keyValues().mapValues { $0.base64EncodedString() } }

    /// Descriptions of the work that the app has left for the account that is
    /// signed in.
    func unsettled(_ books: Books) -> [String] {
        let account = account(books)
        var rest = books.debts.filter {
            $0.device == agent.identity.credentials.identifier && $0.account == account && $0.bundle == bundle
        }.map { "\($0.transaction) at the store" }
        do {
            rest += try agent.journal.database.read { connection in
                let entries = try JournalEntry.load(connection, in: JournalEntry.Phase.allCases).filter { entry in
                    switch entry.phase {
                    case .confirmed, .away: return false
                    // No task waits for it, and no app has to finish it.
                    case .failed where entry.payment.isAwaited: return false
                    case .arrived, .returning:
                        // The device gets its receipt only while its account is signed in.
                        return entry.position?.account == account
                    case .waiting:
                        // A payment of an account that isn't signed in waits for that account.
                        let buyer = books.requests[entry.identifier]
                        return buyer == nil || buyer == account
                    default: return true
                    }
                }
                let appRequests = try AppRequest.load(connection).filter(\.isOpen)
                return try entries.map { "\($0.identifier) \($0.phase)" } + self.unsettledDownloads(connection)
                    + appRequests.map { "app request \($0.identifier)" }
            }
            if let account, let standing = books.standings[account] {
                rest += try behind(account, standing)
            }
        } catch {
            rest.append("a journal that can't be read: \(error)")
        }
        return rest
    }

    /// Descriptions of the account's news that the app hasn't received.
    private func behind(_ account: String, _ standing: Books.Standing) throws -> [String] {
        try agent.journal.database.read { connection in
            let state = try JournalState.load(connection)
            var rest: [String] = []
            if state.position != EventPosition(account: account, number: standing.eventNumber) {
                rest.append("news to receive")
            }
            if state.storefront?.countryCode != standing.storefront { rest.append("a move to receive") }
            if state.needsReceipt { rest.append("a receipt to get") }
            if try Journal.needsKeyValues(connection) { rest.append("values to bring up to date") }
            if try Journal.needsSigned(connection) { rest.append("signed transactions to fetch") }
            return rest
        }
    }
}
