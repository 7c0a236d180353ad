// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A family in a store: an organiser, a second parent and a child with a
/// phone, each with an account without a password.
struct Household {
    let store: TestStore
    let olga: Account
    let paul: Account
    let carl: Account
    /// The child's.
    let phone: TestDevice

    init(in store: TestStore) async throws {
        self.store = store
        olga = try await store.person("olga", device: 11)
        paul = try await store.person("paul", device: 12)
        carl = try await store.person("carl", device: 13)
        phone = TestDevice(number: 13, store: store)
        _ = try await store.families.begin(organiser: olga.email)
        _ = try await store.families.add(paul.email, as: .parent, organiser: olga.email)
        _ = try await store.families.add(carl.email, as: .child, organiser: olga.email)
    }

    /// The child asks for a product. Returns the number of the future purchase.
    func ask(_ product: String, request: String) async throws -> TransactionIdentifier {
        let known = Set(try await requests(for: olga).map(\.transaction))
        #expect(try await phone.ask(product, request: request).status == .deferred)
        let new = try await requests(for: olga).map(\.transaction).filter { !known.contains($0) }
        return try #require(new.count == 1 ? new.first : nil)
    }

    /// The requests on the page of a parent.
    func requests(for parent: Account) async throws -> [ChildRequest] {
        try await store.service.childRequests(for: parent).requests
    }

    func approve(_ number: TransactionIdentifier, by parent: Account, shown: Money? = nil) async throws {
        try await store.service.approve(number, by: parent, shown: shown.map { AgreedTerms(price: $0) })
    }

    /// Requires that a call is refused with a code.
    func refused(_ code: DomainError.Code, _ body: () async throws -> Void) async {
        let error = await #expect(throws: DomainError.self) { try await body() }
        #expect(error?.code == code)
    }
}

extension ChildRequest {
    /// The price on the page; `nil` when the request can't be approved now.
    var price: Money? {
        if case .buys(let shown, _) = outcome { shown.price } else { nil }
    }
}

extension TestStore {
    var families: ChangingFamily { ChangingFamily(context) }

    /// Opens an account that is signed in on a device from the start.
    func person(_ name: String, device: UInt8, storefront: String = "USA") async throws -> Account {
        let phone = TestDevice(number: device, store: self)
        return try await OpeningTestAccount(context)(
            email: "\(name)@example.com", storefront: storefront,
            device: DeviceIdentifier(rawValue: phone.credentials.identifier), secret: phone.credentials.secret)
    }

    /// The payers of the ledger's entries, in order of time.
    func payers() async throws -> [AccountIdentifier] {
        try await ReadingLedger(context)().sorted { $0.at < $1.at }.map(\.account)
    }

    func time(of account: Account) async throws -> StoreTime {
        try await MovingClock(context).current(email: account.email).to
    }
}
