// SPDX-License-Identifier: Apache-2.0

package import StoreCore
import StoreDatabase

/// Orders an item on its page: records a payment request, whose sheet the
/// customer confirms like that of a device. A promo code of an app is redeemed
/// in the same way.
package struct OrderingItem: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The end of an order.
    package enum Order: Sendable {
        /// The token of the sheet on which the customer decides.
        case sheet(String)
        /// Another person was asked to approve it (Ask to Buy).
        case waits
        /// The item isn't sold to the account, for this reason.
        case refused(PurchaseFailure)
    }

    /// Records a request for an item. `tokens` are those of the link that the
    /// customer has clicked in the day before.
    ///
    /// An order that is repeated is another request. Confirming both sheets
    /// charges once, because an account owns an item once.
    ///
    /// - Throws: ``DomainError`` `notFound` for an item that isn't in the
    ///   catalogue.
    package func callAsFunction(
        _ item: Int64, for account: Account, tokens: CampaignTokens? = nil
    ) async throws -> Order {
        let device = Device.pages(of: account.identifier)
        guard try await isSold(item, to: account, on: device) else { return Self.notSold(item) }
        var request = DeviceRequest(
            device: device, identifier: RequestIdentifier(random.hexadecimal(bytes: 16)), kind: .payment,
            bundleIdentifier: Item.catalogue, productIdentifier: Item.product(of: item))
        request.tokens = tokens
        let recorded = try await AskingForPayment(context)(request)
        if let sheet = recorded.sheet { return .sheet(sheet) }
        if recorded.request.status == .deferred { return .waits }
        return recorded.request.failure.map { .refused($0) } ?? Self.notSold(item)
    }

    /// Records a request to redeem a promo code of an app. The customer types
    /// the code on its sheet.
    ///
    /// - Throws: ``DomainError``: `notFound` for an item that isn't in the
    ///   catalogue, `invalid` for one that isn't an app.
    package func redeem(_ item: Int64, for account: Account) async throws -> Order {
        let device = Device.pages(of: account.identifier)
        guard try await isSold(item, to: account, on: device, hasCodes: true) else { return Self.notSold(item) }
        let recorded = try await AskingForRedemption(context)(
            RequestIdentifier(random.hexadecimal(bytes: 16)), of: Item.catalogue, item: Item.product(of: item),
            on: device)
        return recorded.sheet.map { .sheet($0) } ?? Self.notSold(item)
    }

    /// Whether an item is sold to an account now. Its device is recorded then.
    private func isSold(
        _ item: Int64, to account: Account, on device: DeviceIdentifier, hasCodes: Bool = false
    ) async throws -> Bool {
        try await write(for: device) { db in
            guard let found = try Item.find(item, db) else { throw Item.unknown(item) }
            guard !hasCodes || found.app != nil else { throw RedeemingCode.noRedemption }
            let product = found.product
            guard product.isOffered, !product.isWithoutContract(in: account.storefront) else { return false }
            try Device.use(withoutSecret: device, db)
            return true
        }
    }

    private static func notSold(_ item: Int64) -> Order {
        .refused(.notAvailable("The item \(item) isn't sold."))
    }
}

extension Item {
    /// The error for an identifier without an item.
    static func unknown(_ identifier: Int64) -> DomainError {
        DomainError(.notFound, "There is no item \(identifier).")
    }
}
