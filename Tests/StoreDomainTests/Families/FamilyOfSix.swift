// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A family of six, with a device for each member, in a store that sells an
/// apple and a club, which are shared, and a pear and juice, which aren't.
struct FamilyOfSix {
    let store: TestStore
    /// The organiser.
    let olga: Account
    let paul: Account
    /// An adult who approves nothing.
    let ada: Account
    /// Children.
    let carl: Account
    let dina: Account
    let emil: Account
    private let devices: [AccountIdentifier: TestDevice]

    init(in store: TestStore) async throws {
        self.store = store
        try await store.sellShared()
        olga = try await store.person("olga", device: 11)
        paul = try await store.person("paul", device: 12)
        ada = try await store.person("ada", device: 13)
        carl = try await store.person("carl", device: 14)
        dina = try await store.person("dina", device: 15)
        emil = try await store.person("emil", device: 16)
        var devices: [AccountIdentifier: TestDevice] = [:]
        for (number, account) in [olga, paul, ada, carl, dina, emil].enumerated() {
            devices[account.identifier] = TestDevice(number: UInt8(11 + number), store: store)
        }
        self.devices = devices
        for device in devices.values { try await store.use(device) }
        _ = try await store.families.begin(organiser: olga.email)
        _ = try await store.families.add(paul.email, as: .parent, organiser: olga.email)
        _ = try await store.families.add(ada.email, as: .adult, organiser: olga.email)
        for child in [carl, dina, emil] {
            _ = try await store.families.add(child.email, as: .child, organiser: olga.email)
        }
    }

    var all: [Account] { [olga, paul, ada, carl, dina, emil] }

    func device(of account: Account) throws -> TestDevice { try #require(devices[account.identifier]) }

    /// Buys a product on the own device, and shares it.
    @discardableResult
    func buy(_ product: String, as account: Account, request: String = "own") async throws -> TransactionIdentifier {
        let bought = try await device(of: account).buy(product, request: "\(request) \(product)", as: account)
        await store.service.sharePurchases()
        return TransactionIdentifier(bought.transactionIdentifier)
    }

    /// A child asks for a product. Returns the number of the future purchase.
    func ask(_ product: String, as child: Account, request: String) async throws -> TransactionIdentifier {
        let known = Set(try await requests(for: olga).map(\.transaction))
        #expect(try await device(of: child).ask(product, request: request).status == .deferred)
        let new = try await requests(for: olga).map(\.transaction).filter { !known.contains($0) }
        return try #require(new.count == 1 ? new.first : nil)
    }

    func answer(to request: String, for product: String, as child: Account) async throws -> PaymentCall.Answer {
        try await device(of: child).ask(product, request: request)
    }

    func requests(for parent: Account) async throws -> [ChildRequest] {
        try await store.service.childRequests(for: parent).requests
    }

    /// Lets time pass for the whole family.
    func pass(_ duration: String) async throws {
        _ = try await store.service.move(clockOf: olga.email, .later(try ClockDuration(duration)))
        await store.service.sharePurchases()
        await store.service.notifyParents()
    }

    /// The products that accounts have, without periods that are over.
    func expect(
        _ accounts: [Account], have products: Set<String>, at location: SourceLocation = #_sourceLocation
    ) async throws {
        for account in accounts {
            #expect(
                try await store.running(of: account) == products, "\(account.email)", sourceLocation: location)
        }
    }
}

extension TestStore {
    /// The products of an account whose purchase is neither revoked nor over,
    /// as ``owned(by:)`` names them.
    fileprivate func running(of account: Account) async throws -> Set<String> {
        let now = try await time(of: account).milliseconds
        return try await context.read { db in
            Set(
                try db.rows(
                    """
                    SELECT product_id, shared_by FROM purchase
                    WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
                    """, [account.identifier, now]
                ).map { row in
                    let owner: AccountIdentifier? = try row.get("shared_by")
                    let product: String = try row.get("product_id")
                    return owner == nil ? product : "\(product) shared"
                })
        }
    }
}
