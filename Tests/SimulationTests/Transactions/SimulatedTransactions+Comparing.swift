// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAPI
import StoreDatabase

@testable import StoreAgent
@testable import StoreKit

/// Comparisons of an app's lists with the store's books.
extension SimulatedTransactions {
    /// The lists of an app at one moment.
    struct Lists: Sendable {
        var all: [Transaction]
        var entitlements: [Transaction]
        var unfinished: [Transaction]
        var statuses: [Product.SubscriptionInfo.Status]
        /// The account's time, in milliseconds since 1970.
        var now: Int64
        /// The position up to which the journal has both the events and the
        /// signed transactions; `nil` when they differ.
        var position: EventPosition?
        /// The transactions of the journal, also those of finished consumables.
        var rows: Set<String> = []
    }

    /// Reads all lists from the journal, without a request to the store.
    func lists() async throws -> Lists {
        Lists(
            all: try await all(), entitlements: try await entitlements(), unfinished: try await unfinished(),
            statuses: try await Product.SubscriptionInfo.statuses(of: nil, agent),
            now: try await agent.currentAccountTime(), position: try agent.journal.completePosition(),
            rows: try agent.journal.signedRows())
    }

    /// Synchronizes and compares all lists with the books, unless these or the
    /// account have changed meanwhile.
    func compare(ended: @escaping (Bool) -> Void = { _ in }) {
        nonisolated(unsafe) let ended = ended  // because the scheduler's thread alone calls it
        start { [self] in
            let before = books
            let isDone = (try? await synchronize()) ?? false
            guard isDone, let before, before == books, let lists = try? await lists(), before == books,
                life.isAlive, lists.position == EventPosition(account: before.account, number: before.number)
            else { return ended(false) }
            compare(lists, with: before)
            ended(true)
        }
    }

    /// The books of the account that is signed in.
    private var books: TransactionBooks? {
        guard let books = try? Books(world), let account = books.accounts[agent.identity.credentials.identifier] else {
            return nil
        }
        return TransactionBooks(books, of: account, in: bundle)
    }

    func compare(_ lists: Lists, with books: TransactionBooks) {
        witness?.compared()
        world.note("\(life.name) has \(lists.all.count) transactions, \(lists.entitlements.count) entitlements")
        if lists.rows != Set(books.lines.keys) {
            let (rows, lines) = (lists.rows.sorted(), books.lines.keys.sorted())
            complain("the journal has the signed transactions \(rows), and the store \(lines)")
        }
        everythingIsListed(lists.all, books)
        entitlementsAreRight(lists.entitlements, at: lists.now, books)
        statusesAreRight(lists.statuses, at: lists.now, books)
    }

    private func complain(_ sentence: String) { witness?.complain("\(life.name), \(place): \(sentence)") }

    /// Compares `Transaction.all` with the store's history.
    private func everythingIsListed(_ all: [Transaction], _ books: TransactionBooks) {
        let listed = Dictionary(all.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        if listed.count != all.count { complain("Transaction.all has a transaction twice: \(all.map(\.number))") }
        for (number, line) in books.lines.sorted(by: { $0.key < $1.key }) {
            guard let transaction = listed[number] else {
                if !line.isConsumable || line.isRevoked { complain("Transaction.all lacks \(number)") }
                continue
            }
            if (transaction.revocationDate != nil) != line.isRevoked {
                complain("\(number) is \(line.isRevoked ? "" : "not ")refunded, and Transaction.all has it otherwise")
            }
            if transaction.isUpgraded != line.isUpgraded {
                complain("\(number) was \(line.isUpgraded ? "" : "not ")upgraded, and Transaction.all has it otherwise")
            }
            let isUsedUp = line.isConsumable && !line.isRevoked
            if isUsedUp, witness?.isFinished(number, at: place) == true {
                complain("\(number) was finished here, and Transaction.all has it")
            }
        }
        for number in listed.keys.sorted() where books.lines[number] == nil {
            complain("Transaction.all has \(number), which isn't the account's")
        }
    }

    /// Compares the entitlements with the owned products and the periods that
    /// run or are in grace.
    private func entitlementsAreRight(_ entitlements: [Transaction], at now: Int64, _ books: TransactionBooks) {
        let periods = entitlements.filter { $0.productType == .autoRenewable }
        let expected = books.periods(at: now)
        if isOnTime(now, books), Set(periods.map(\.number)) != expected || periods.count != expected.count {
            complain("the periods \(periods.map(\.number)) are entitlements at \(now), instead of \(expected.sorted())")
        }
        let others = entitlements.filter { $0.productType != .autoRenewable }
        if others.map(\.productID).sorted() != books.owned.keys.sorted() {
            complain("\(others.map(\.productID)) are entitlements, and \(books.owned.keys.sorted()) are owned")
        }
        for transaction in others where books.owned[transaction.productID]?.contains(transaction.number) != true {
            complain("\(transaction.number) is an entitlement and no purchase of \(transaction.productID)")
        }
    }

    /// Whether the device's clock is right, and no period ends just now.
    private func isOnTime(_ now: Int64, _ books: TransactionBooks) -> Bool {
        let ends = books.subscriptions.values.map(\.end) + books.subscriptions.values.compactMap(\.graceEnd)
        return device.clockError == 0 && ends.allSatisfy { abs($0 - now) > 10_000 }
    }

    private func statusesAreRight(
        _ statuses: [Product.SubscriptionInfo.Status], at now: Int64, _ books: TransactionBooks
    ) {
        guard isOnTime(now, books) else { return }
        let states = Dictionary(
            statuses.map { ("\($0.transaction.unsafePayloadValue.originalID)", $0.state.rawValue) },
            uniquingKeysWith: { $1 })
        for (original, standing) in books.subscriptions.sorted(by: { $0.key < $1.key }) {
            let expected = standing.states(at: now).map(\.rawValue).sorted()
            guard let state = states[original], expected.contains(state) else {
                let state = states[original].map { "\($0)" } ?? "nothing"
                complain("the state of \(original) is \(state) instead of \(expected)")
                continue
            }
        }
    }
}

extension Journal {
    /// The identifiers of all signed transactions.
    fileprivate func signedRows() throws -> Set<String> {
        try database.readAndWait { connection in
            Set(
                try connection.rows("SELECT transaction_identifier FROM signed_transaction")
                    .map { try $0.get("transaction_identifier") as String })
        }
    }

    /// The position up to which the journal has both the events and the signed
    /// transactions; `nil` when they differ.
    fileprivate func completePosition() throws -> EventPosition? {
        try database.readAndWait { connection in
            let events = try JournalState.load(connection).position
            let state = try SignedState.load(connection)
            return !state.isPartial && state.position == events ? events : nil
        }
    }
}
