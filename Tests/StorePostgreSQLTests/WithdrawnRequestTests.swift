// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StorePostgreSQL
import StoreService
import StoreTestSupport
import Testing

/// A parent approves a request while the app withdraws it.
@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"))
struct WithdrawnRequestTests {
    @Test("A payment that an app withdraws while a parent approves it isn't charged")
    func approvedMeanwhile() async throws {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        let (database, other) = (try open(url), try open(url))
        let meanwhile = HookedDatabase(database) { if case .account = $0 { true } else { false } }
        let store = try await TestStore(meanwhile)
        let anna = try await store.addAccount()
        let phone = try await store.addDevice()
        try await phone.buy("juice", request: "sign-in", as: anna)
        try await store.service.change(account: anna.email, .init(switches: [.asksToBuy: true]))
        #expect(try await phone.ask("apple", request: "r1").status == .deferred)
        let number = try #require(try await store.service.undecided().first?.transactionIdentifier)

        meanwhile.before("UPDATE request") {
            try other.write { connection in
                _ = try connection.run(
                    "UPDATE request SET status = 'failed', failure_code = 0, failure_message = 'Withdrawn.'")
            }
        }
        let refusal = await #expect(throws: DomainError.self) { try await store.service.approve(number) }

        #expect(refusal?.code == .decided)
        #expect(try await phone.ask("apple", request: "r1").status == .failed)
        #expect(try await store.ledger() == [490])
        #expect(try await store.count("payment") == 1)
        try database.close()
        try other.close()
    }
}
