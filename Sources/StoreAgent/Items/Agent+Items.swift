// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

extension Agent {
    /// Asks the store for the page of an item.
    ///
    /// The promotions of this device are in the address of the app's own page
    /// only.
    ///
    /// - Throws: ``PurchaseFailure``: `storeProductNotAvailable` for an item that
    ///   the store doesn't sell; `CancellationError`.
    package func itemPage(_ request: ItemPageRequest) async throws -> SheetAddress {
        do {
            let answer = try await store.call(ItemCall(item: request.item))
            guard let page = answer.page else {
                throw PurchaseFailure(
                    .storeProductNotAvailable, "The store has no item with the number \(request.item).")
            }
            let isOwn = answer.bundleIdentifier == configuration.bundleIdentifier
            let text = ItemPageAddress.text(page, request, isOwn ? try promotions : Promotions())
            return try SheetAddress(text, from: configuration.storeURL)
        } catch let failure as PurchaseFailure {
            throw failure
        } catch {
            try Task.checkCancellation()
            throw PurchaseFailure(error)
        }
    }

    /// Shows the page of an item, as a payment's sheet is shown.
    ///
    /// - Throws: The presenter's error.
    package func show(_ page: SheetAddress) async throws {
        try await page.present(with: synchronizer.presenter)
    }
}
