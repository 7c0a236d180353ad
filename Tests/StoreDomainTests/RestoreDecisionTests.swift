// SPDX-License-Identifier: Apache-2.0

import StoreCore
import Testing

@testable import StoreDomain

/// The decision about a page of a restore.
struct RestoreDecisionTests {
    @Test("The first page of an open request fixes the list")
    func firstPage() {
        #expect(RestoreDecision.restoring(Self.request(.open), for: "anna", page: 0) == .fixList)
    }

    @Test("A later page of an open request fails, because its list was deleted")
    func deletedList() {
        #expect(RestoreDecision.restoring(Self.request(.open), for: "anna", page: 1) == .fail(.listDeleted))
    }

    @Test("An answered request is read for its own account", arguments: [0, 1, 1_000_000])
    func answered(page: Int) {
        let request = Self.request(.done, account: "anna")
        #expect(RestoreDecision.restoring(request, for: "anna", page: page) == .readPage)
    }

    @Test("An answered request fails for another account, on every page", arguments: [0, 1])
    func otherAccount(page: Int) {
        let request = Self.request(.done, account: "anna")
        #expect(RestoreDecision.restoring(request, for: "ben", page: page) == .fail(.otherAccount))
    }

    @Test("Purchases that were refunded after the list was fixed aren't restored, and the others keep their order")
    func refunded() {
        let listed = [Self.restored("1"), Self.restored("2", revoked: 5), Self.restored("3")]
        #expect(RestoreDecision.remaining(listed).map(\.transactionIdentifier) == ["1", "3"])
    }

    private static func request(
        _ status: DeviceRequest.Status, account: AccountIdentifier? = nil
    ) -> DeviceRequest {
        var request = DeviceRequest(device: "phone", identifier: "1", kind: .signIn, bundleIdentifier: "app")
        request.status = status
        request.account = account
        return request
    }

    private static func restored(
        _ number: TransactionIdentifier, revoked: Int64? = nil
    ) -> RestoringPurchases.Restored {
        let date = StoreTime(milliseconds: 1)
        let original = Purchase(
            transactionIdentifier: number, originalTransactionIdentifier: OriginalTransactionIdentifier(number),
            account: "anna", bundleIdentifier: "app", productIdentifier: "book", kind: .nonConsumable, quantity: 1,
            applicationUsername: nil, date: date, originalDate: date, price: Money(milliunits: 0, currency: "USD"),
            storefront: "USA", device: nil, requestIdentifier: nil, isInReceipt: true,
            revoked: revoked.map(StoreTime.init(milliseconds:)))
        return RestoringPurchases.Restored(transactionIdentifier: number, date: date, original: original)
    }
}
