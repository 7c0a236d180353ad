// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

extension Control {
    /// Sets the former subscribers who may get a win-back offer.
    package struct WinBackCall: Codable, Sendable {
        package var bundle: String
        package var product: String
        package var offer: String
        /// Absent for all former subscribers.
        package var conditions: WinBackConditions?
        /// `normal` or `high`.
        package var priority: String

        package init(
            bundle: String, product: String, offer: String, conditions: WinBackConditions?, priority: String
        ) {
            self.bundle = bundle
            self.product = product
            self.offer = offer
            self.conditions = conditions
            self.priority = priority
        }
    }
}

extension Control.WinBackCall {
    /// Sets the conditions in a store.
    ///
    /// - Throws: The errors of `SettingWinBackConditions`; ``DomainError``
    ///   `invalid` for another priority.
    func carryOut(in context: StoreContext) async throws {
        guard let priority = Product.Offer.Priority(rawValue: priority) else {
            throw DomainError(.invalid, "The priority of a win-back offer is normal or high, not \"\(priority)\".")
        }
        try await SettingWinBackConditions(context)(
            conditions, priority: priority, of: offer, product: ProductIdentifier(product),
            in: BundleIdentifier(bundle))
    }
}
