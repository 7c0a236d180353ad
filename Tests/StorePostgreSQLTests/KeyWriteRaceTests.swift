// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StorePostgreSQL
import StoreService
import StoreTestSupport
import Testing

/// A sheet that two nodes answer concurrently. The writes of devices and sheets
/// have READ COMMITTED isolation: the other node may commit between any two of
/// their statements.
@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"))
struct KeyWriteRaceTests {
    /// A way in which a write of a key ends a request.
    enum Ending: String, CaseIterable {
        case withdraw, cancel
    }

    @Test(
        "A request that ends while its sheet is confirmed is charged only if it is bought", arguments: Ending.allCases)
    func confirmedMeanwhile(ending: Ending) async throws {
        var bought: Set<Bool> = []
        for place in 0..<12 {
            let wasReached = try await withTwoNodes { hooked, url, store, other in
                let anna = try await store.addAccount()
                let phone = try await store.addDevice()
                let sheet = try phone.token(try await phone.ask("juice", request: "1").sheet)

                let wasReached = try await hooked.interpose(at: place, of: url) {
                    _ = try await other.service.buy(onSheet: sheet, as: anna, shown: nil)
                } during: {
                    try await end(ending, sheet, of: phone, in: store)
                }

                let purchases = try await store.count("purchase")
                let answer = try await phone.ask("juice", request: "1")
                #expect((answer.transaction != nil) == (purchases == 1), "before statement \(place)")
                #expect((answer.failure != nil) == (purchases == 0), "before statement \(place)")
                #expect(try await store.count("payment") == purchases, "before statement \(place)")
                #expect(try await store.count("sheet", where: "status IN ('open', 'processing')") == 0)
                bought.insert(purchases == 1)
                return wasReached
            }
            guard wasReached else { break }
        }
        #expect(bought == [true, false])
    }

    private func end(_ ending: Ending, _ sheet: String, of phone: TestDevice, in store: TestStore) async throws {
        switch ending {
        case .withdraw:
            _ = try await phone.call(
                PaymentCall(
                    requestIdentifier: "1", bundleIdentifier: TestStore.bundleIdentifier, productIdentifier: "juice",
                    quantity: 1, isWithdrawn: true))
        case .cancel: try await store.service.cancelSheet(sheet)
        }
    }

    @Test("A restore that is answered while its sheet is signed in on another node stays answered")
    func signedInMeanwhile() async throws {
        var reached = 0
        for place in 0..<16 {
            let wasReached = try await withTwoNodes { hooked, url, store, other in
                let anna = try await store.addAccount()
                let berta = try await store.addAccount("berta@example.com")
                let phone = try await store.addDevice()
                let sheet = try phone.token(try await phone.restore(request: "1").sheet)
                // The device is signed in on another page.
                try await phone.buy("apple", request: "2", as: anna)

                let wasReached = try await hooked.interpose(at: place, of: url) {
                    try await other.service.signIn(onSheet: sheet, as: berta)
                } during: {
                    _ = try await phone.restore(request: "1")
                }

                let first = try await phone.restore(request: "1")
                #expect(
                    try await store.count("request", where: "request_id = '1' AND status = 'done'") == 1, "\(place)")
                #expect(try await store.count("sheet", where: "status = 'open'") == 0)
                #expect(try await phone.restore(request: "1").transactions == first.transactions)
                return wasReached
            }
            guard wasReached else { break }
            reached += 1
        }
        // The restore's write has nine statements, and places after them aren't reached.
        #expect((9..<16).contains(reached), "\(reached) places")
    }

    @Test("Concurrent wrong passwords on several sheets of a device are all counted")
    func passwords() async throws {
        try await withTwoNodes { _, _, store, other in
            let phone = try await store.addDevice()
            var sheets: [String] = []
            for number in 0..<8 {
                sheets.append(try phone.token(try await phone.ask("juice", request: "\(number)").sheet))
            }
            await withTaskGroup(of: Void.self) { group in
                for (number, sheet) in sheets.enumerated() {
                    let node = number.isMultiple(of: 2) ? store : other
                    group.addTask {
                        await #expect(throws: DomainError.self) {
                            _ = try await node.service.signIn(
                                email: "unknown-\(number)@example.com", password: "wrong", onSheet: sheet)
                        }
                    }
                }
            }
            #expect(try await store.count("sign_in_throttle", where: "kind = 'device' AND failures = 8") == 1)
        }
    }

    /// Runs code with two nodes on one database, of which the first can be
    /// interrupted.
    private func withTwoNodes<T>(
        _ body: (HookedDatabase, _ url: String, _ hooked: TestStore, _ other: TestStore) async throws -> T
    ) async throws -> T {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        let (first, second) = (try open(url), try open(url))
        let hooked = HookedDatabase(first) { if case .key = $0 { true } else { false } }
        let clock = TestClock()
        let store = try await TestStore(hooked, clock: clock, seed: 7)
        let result = try await body(hooked, url, store, try await TestStore(second, clock: clock, seed: 8))
        try first.close()
        try second.close()
        return result
    }
}
