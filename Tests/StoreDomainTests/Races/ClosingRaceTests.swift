// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// An account is closed while requests to buy are made and approved. Either
/// may come first; every charge is made before the closing.
struct ClosingRaceTests {
    @Test("An approval on one node, the closing of the account on the other", arguments: Engine.stores)
    func approvals(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            for round in 0..<(engine.isPostgreSQL ? 80 : 40) {
                let child = try await nodes.child(round)
                let asked = try await child.phone.ask("apple", request: "apple-\(round)")
                #expect(asked.status == .deferred)
                let request = try await nodes.first.onlyUndecided()

                let approve: @Sendable () async throws -> Void = {
                    try await nodes.first.readTimes(round % 4)
                    // After the closing the request is decided already.
                    try await allowingRefusal { _ = try await nodes.first.service.approve(request) }
                }

                try await close(child, delay: round / 4 % 4, nodes, against: [approve])
            }
            try await nodes.first.checkMoney()
        }
    }

    @Test("New requests to buy on both nodes, while the account is closed", arguments: Engine.stores)
    func newRequests(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            for round in 0..<(engine.isPostgreSQL ? 120 : 60) {
                let child = try await nodes.child(round)
                var tasks: [@Sendable () async throws -> Void] = []
                for (number, product) in ["apple", "pear", "juice"].enumerated() {
                    let phone = TestDevice(number: 1, store: nodes[number])
                    tasks.append {
                        try await phone.store.readTimes(number)
                        _ = try await phone.ask(product, request: "\(product)-\(round)")
                    }
                }

                try await close(child, delay: round % 5, nodes, against: tasks)
            }
            #expect(try await nodes.first.ledger() == [])
        }
    }

    @Test(
        "New requests on one node and their approvals on the other, while the account is closed",
        arguments: Engine.stores)
    func both(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            for round in 0..<(engine.isPostgreSQL ? 80 : 40) {
                let child = try await nodes.child(round)

                let ask: @Sendable () async throws -> Void = {
                    for product in ["apple", "juice"] {
                        _ = try await child.phone.ask(product, request: "\(product)-\(round)")
                    }
                }
                let approve: @Sendable () async throws -> Void = {
                    for _ in 0..<4 {
                        for number in try await nodes.second.undecided(of: child.account) {
                            try await allowingRefusal { _ = try await nodes.second.service.approve(number) }
                        }
                    }
                }

                try await close(child, delay: round % 7, nodes, against: [ask, approve])
            }
            try await nodes.first.checkMoney()
        }
    }

    /// Closes an account on the second node while tasks run. Requires that it
    /// has no more payments afterwards than at the closing.
    private func close(
        _ customer: Customer, delay: Int, _ nodes: Nodes, against tasks: [@Sendable () async throws -> Void]
    ) async throws {
        let account = customer.account
        let captured = try await withThrowingTaskGroup(of: Int?.self, returning: Int?.self) { group in
            for task in tasks {
                group.addTask {
                    try await task()
                    return nil
                }
            }
            group.addTask {
                try await nodes.second.readTimes(delay)
                return try await nodes.second.close(account)
            }
            var captured: Int?
            for try await payments in group { captured = payments ?? captured }
            return captured
        }
        let payments = try await nodes.first.count("payment", where: "account_id = '\(account.identifier)'")
        try #require(payments == captured, "the account \(account.email) was charged after it was closed")
        let undecided = try await nodes.first.undecided(of: account)
        try #require(undecided.isEmpty, "the closed account \(account.email) has undecided requests")
    }
}

extension Nodes {
    /// A customer whose purchases need an approval.
    fileprivate func child(_ number: Int) async throws -> Customer {
        let customer = try await customer(number)
        try await first.service.change(account: customer.account.email, .init(switches: [.asksToBuy: true]))
        return customer
    }
}

extension TestStore {
    /// Closes an account as soon as no payment of it is under way.
    ///
    /// - Returns: the number of captured payments at that moment.
    fileprivate func close(_ account: Account) async throws -> Int {
        for _ in 0..<10_000 {
            do {
                try await ClosingAccount(context)(email: account.email)
                return try await count(
                    "payment", where: "account_id = '\(account.identifier)' AND status = 'captured'")
            } catch let error as DomainError where error.code == .underWay {
                try await letOthersRun()
            }
        }
        throw DomainError(.underWay, "A payment of \(account.email) stays under way.")
    }

    /// The transaction identifiers of an account's undecided requests.
    fileprivate func undecided(of account: Account) async throws -> [TransactionIdentifier] {
        try await service.undecided().filter { $0.account == account.identifier }.compactMap(\.transactionIdentifier)
    }
}
