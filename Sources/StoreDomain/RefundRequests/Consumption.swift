// SPDX-License-Identifier: Apache-2.0

/// A seller's information about a purchase whose refund was asked for:
/// `ConsumptionRequest` and `ConsumptionRequestV1` of the App Store Server API.
package struct Consumption: Codable, Hashable, Sendable {
    /// The version of the request: 1 or 2.
    package var version: Int
    /// The values by the names of Apple's fields, as their texts in JSON.
    package var fields: [String: String]

    package init(version: Int, fields: [String: String]) {
        self.version = version
        self.fields = fields
    }

    /// Whether a seller may send it about a product of a kind. Version 1 is for
    /// consumables and auto-renewable subscriptions.
    func isAllowed(for kind: Product.Kind) -> Bool {
        version != 1 || kind == .consumable || kind == .autoRenewable
    }
}
