// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore
import StoreDatabase
import StoreDomain
import StorePostgreSQL
import StoreService
import StoreTestSupport
import Synchronization
import Testing

/// Whole purchases while the server's backend processes are killed.
@Suite(.enabled(if: TestCluster.url != nil, "there is no PostgreSQL"), .timeLimit(.hang))
struct KilledPurchaseTests {
    private static let customers = 8
    private static let purchasesEach = 125

    @Test("1,000 purchases by 8 customers whose backends are killed: nothing lost, nothing twice, says the ledger")
    func purchases() async throws {
        let url = try TestCluster.makeDatabase()
        defer { try? TestCluster.removeDatabase(url) }
        let database = try open(url)
        // A lease that its process couldn't give back runs out while the customer waits.
        let store = try await TestStore(database, leaseDuration: Lease.duration)
        var devices: [(device: TestDevice, account: Account)] = []
        for number in 0..<Self.customers {
            // Each account has two devices, so that its purchases conflict.
            let account =
                try await number.isMultiple(of: 2)
                ? store.addAccount("customer-\(number)@example.com") : devices[number - 1].account
            let device = try await store.addDevice(UInt8(number + 1))
            devices.append((device, account))
        }

        let bought = Bought()
        let kills = Log()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (device, account) in devices {
                group.addTask {
                    for number in 0..<Self.purchasesEach {
                        let product = number.isMultiple(of: 25) ? "apple" : "juice"
                        let transaction = try await Self.buy(product, "r-\(number)", on: device, as: account)
                        bought.add(transaction.transactionIdentifier)
                        try await Self.patiently { try await device.finish(transaction.transactionIdentifier) }
                        if Int.random(in: 0..<3) == 0 { kills.add(try killOne(url)) }
                    }
                }
            }
            try await group.waitForAll()
        }
        // A lease whose connection was ended when it was to be given back.
        try await store.endLeases()
        try await RecoveringPayments(store.context)(
            begunUntil: WallTime(milliseconds: .max))

        let total = Self.customers * Self.purchasesEach
        let identifiers = bought.identifiers
        #expect(kills.sum > 100)
        #expect(identifiers.count == total && Set(identifiers).count == total)
        #expect(try await store.count("purchase") == total)
        #expect(try await store.count("queue_entry") == 0)
        #expect(try await store.count("payment", where: "status NOT IN ('captured', 'declined')") == 0)
        // Five apples per device: only the first one of each account is paid for. All juice is paid for.
        let ledger = try await ReadingLedger(store.context)()
        let apples = Self.customers * 5
        let expected = (total - apples) * 490 + Self.customers / 2 * 990
        #expect(
            ledger.count == total
                && Set(ledger.map(\.transactionIdentifier)) == Set(identifiers.map { TransactionIdentifier($0) }))
        #expect(ledger.map(\.amount.milliunits).reduce(0, +) == Int64(expected))
        let collected = try TestCluster.number(
            "SELECT sum(milliunits) FROM sandbox_payment WHERE status = 'captured'", at: url)
        #expect(collected == expected)
        try database.close()
    }

    /// Makes a purchase as a device and its customer do: repeats the request
    /// under its identifier until the purchase is made.
    private static func buy(
        _ product: String, _ request: String, on device: TestDevice, as account: Account
    ) async throws -> TransactionInfo {
        while true {
            let answer = try await patiently { try await device.ask(product, request: request) }
            switch answer.status {
            case .purchased: return try #require(answer.transaction)
            case .authorise:
                let token = try device.token(answer.sheet)
                do {
                    _ = try await device.store.service.buy(onSheet: token, as: account, shown: nil)
                } catch let error as DomainError where [.sheetUsed, .underWay].contains(error.code) {
                    // The account's other device is buying it, or this one's
                    // answer was lost: the repeated request gets the outcome.
                } catch  where StoreContext.outage(error) != nil {
                }
            case .processing:
                // The store does the same after a while.
                try await patiently {
                    try await RecoveringPayments(device.store.context)(
                        begunUntil: WallTime(milliseconds: .max))
                }
            default: throw StoreFailure(.internalError, "\(request) failed: \(answer.failure?.message ?? "")")
            }
        }
    }

    /// Repeats a call as long as the store isn't available.
    private static func patiently<T>(_ body: () async throws -> T) async throws -> T {
        while true {
            do {
                return try await body()
            } catch let failure as StoreFailure where failure.code == .unavailable {
            } catch  where StoreContext.outage(error) != nil {
            }
        }
    }
}

/// The transaction identifiers that the devices have received.
private final class Bought: Sendable {
    private let all = Mutex<[String]>([])

    var identifiers: [String] { all.withLock { $0 } }

    func add(_ identifier: String) {
        all.withLock { $0.append(identifier) }
    }
}
