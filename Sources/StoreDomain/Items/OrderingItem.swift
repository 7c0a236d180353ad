// SPDX-License-Identifier: Apache-2.0

package import StoreCore
import StoreDatabase

/// Orders an item on its page: records a payment request, whose sheet the
/// customer confirms like that of a device.
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
        let isSold = try await write(for: device) { db in
            guard let found = try Item.find(item, db) else { throw Item.unknown(item) }
            let product = found.product
            guard product.isOffered, !product.isWithoutContract(in: account.storefront) else { return false }
            try Device.use(withoutSecret: device, db)
            return true
        }
        guard isSold else { return .refused(.notAvailable("The item \(item) isn't sold.")) }
        var request = DeviceRequest(
            device: device, identifier: RequestIdentifier(random.hexadecimal(bytes: 16)), kind: .payment,
            bundleIdentifier: Item.catalogue, productIdentifier: Item.product(of: item))
        request.tokens = tokens
        let recorded = try await AskingForPayment(context)(request)
        if let sheet = recorded.sheet { return .sheet(sheet) }
        if recorded.request.status == .deferred { return .waits }
        return .refused(recorded.request.failure ?? .notAvailable("The item \(item) isn't sold."))
    }
}

extension Item {
    /// The error for an identifier without an item.
    static func unknown(_ identifier: Int64) -> DomainError {
        DomainError(.notFound, "There is no item \(identifier).")
    }
}
