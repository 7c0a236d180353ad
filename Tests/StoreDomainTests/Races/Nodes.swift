// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StoreTestSupport

/// Two nodes of one store: a context and a service each. On PostgreSQL each
/// has a pool of its own.
struct Nodes: Sendable {
    let first: TestStore
    let second: TestStore

    /// The first node for even numbers, the second for odd ones.
    subscript(number: Int) -> TestStore { number.isMultiple(of: 2) ? first : second }

    /// Opens an account without a password, signed in on a device from the
    /// start. Hashing passwords would take most of a test's time.
    func customer(_ number: Int, device: UInt8 = 1) async throws -> Customer {
        let phone = TestDevice(number: device, store: first)
        let account = try await OpeningTestAccount(first.context)(
            email: "customer-\(number)@example.com", storefront: "USA",
            device: DeviceIdentifier(rawValue: phone.credentials.identifier), secret: phone.credentials.secret)
        return Customer(account: account, phone: phone)
    }
}

/// An account and the device on which it is signed in.
struct Customer: Sendable {
    let account: Account
    let phone: TestDevice
}

extension Engine {
    /// Two nodes on an empty database of this engine. The fault points are the
    /// first node's. `provider` makes the payment provider of both; without it
    /// each has a sandbox's. On PostgreSQL leases run out in real time.
    func withNodes(
        provider: (any Database, TestClock) -> (any PaymentProvider)? = { _, _ in nil },
        faults: @escaping FaultHandler = { _ in }, leaseDuration: Duration? = nil,
        _ body: (Nodes) async throws -> Void
    ) async throws {
        try await withTwoDatabases(hasTables: true) { one, other in
            let clock = TestClock()
            let provider = provider(one, clock)
            // Two seeds: the nodes must not generate the same identifiers.
            let first = try await TestStore(
                one, clock: clock, seed: 7, provider: provider, faults: faults,
                leaseDuration: leaseDuration)
            let second = try await TestStore(
                other, clock: clock, seed: 8, provider: provider, leaseDuration: leaseDuration)
            try await body(Nodes(first: first, second: second))
        }
    }
}

extension TestStore {
    /// Reads a number of times, so that two tasks meet at another moment in
    /// each round of a test.
    func readTimes(_ count: Int) async throws {
        for _ in 0..<count { _ = try await self.count("app") }
    }

    /// Recovers every payment that is under way, as if the processes that
    /// work on them were gone for long.
    func recover() async throws {
        try await endLeases()
        try await RecoveringPayments(context)(begunUntil: WallTime(milliseconds: .max))
    }
}

/// Runs code that the store may refuse with a `DomainError`; any other error
/// is thrown.
func allowingRefusal(_ body: () async throws -> Void) async throws {
    do { try await body() } catch is DomainError {}
}
