// SPDX-License-Identifier: Apache-2.0

/// A change that a configuration file makes in an app's catalogue.
package enum CatalogueChange: Hashable, Sendable {
    /// The product is new.
    case added(Product)
    /// The product has other values, which are named.
    case changed(Product, [String])
    /// The file doesn't contain the product any more.
    case withdrawn(ProductIdentifier)
    /// The product was edited elsewhere, and is as the file has it: later
    /// imports change it again.
    case takenBack(ProductIdentifier)

    /// The product that changes.
    package var productIdentifier: ProductIdentifier {
        switch self {
        case .added(let product), .changed(let product, _): product.productIdentifier
        case .withdrawn(let identifier), .takenBack(let identifier): identifier
        }
    }
}

/// A change that a configuration file makes in the groups of an app's
/// subscriptions. A group that the file doesn't contain any more stays.
package enum SubscriptionGroupChange: Hashable, Sendable {
    /// The group is new.
    case added(SubscriptionGroup)
    /// The group has other values, which are named.
    case changed(SubscriptionGroup, [String])

    /// The group that changes, with its new values.
    package var group: SubscriptionGroup {
        switch self {
        case .added(let group), .changed(let group, _): group
        }
    }
}

extension CatalogueChange: CustomStringConvertible {
    /// The change, to follow the product.
    package var description: String {
        switch self {
        case .added(let product): "added (\(product.kind.rawValue), \(product.milliunits.decimal))"
        case .changed(_, let differences): "changed: \(differences.joined(separator: ", "))"
        case .withdrawn: "taken off sale, because the file doesn't contain it any more"
        case .takenBack: "managed by the file again"
        }
    }
}

extension SubscriptionGroupChange: CustomStringConvertible {
    /// The change, to follow the group.
    package var description: String {
        switch self {
        case .added(let group): "added (\(group.referenceName))"
        case .changed(_, let differences): "changed: \(differences.joined(separator: ", "))"
        }
    }
}
