// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Answers a products request with the app's products that have the given
/// identifiers.
package struct ListingProducts: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The most identifiers that one request may ask for.
    package static let limit = 2000

    /// The products of a request, and the identifiers without a product.
    package struct Listing: Sendable {
        /// The products that are sold in `storefront`, in the order asked
        /// for.
        package var products: [Product]
        /// Identifiers that are misspelled, of another app, or not for sale
        /// in this storefront, in the order asked for.
        package var invalid: [ProductIdentifier]
        /// The reason of each of ``invalid`` in the sandbox.
        package var refused: [SandboxProblem.Refused] = []
        /// Those of ``invalid`` that would be sold if their seller had a
        /// contract in force.
        package var withoutContract: [ProductIdentifier] = []
        /// The storefront of the account that is signed in on the device; the
        /// United States' storefront when no account is.
        package var storefront: Storefront
        /// The newest hosted content of those products that have any.
        package var content: [ProductIdentifier: HostedContent.Summary] = [:]
        /// The groups of those products that are subscriptions.
        package var groups: [SubscriptionGroupIdentifier: SubscriptionGroup] = [:]
    }

    /// Lists products for the storefront of the account on the device.
    ///
    /// - Throws: ``DomainError`` `invalid` when more than ``limit``
    ///   identifiers are asked for.
    package func callAsFunction(
        _ identifiers: [ProductIdentifier], of bundleIdentifier: BundleIdentifier, for device: DeviceIdentifier
    ) async throws -> Listing {
        guard identifiers.count <= Self.limit else {
            throw DomainError(
                .invalid, "A products request may name \(Self.limit) products, not \(identifiers.count): ask in parts.")
        }
        return try await read { db in
            let account = try Device.signedInAccount(on: device, db)
            var listing = Listing(products: [], invalid: [], storefront: account?.storefront ?? .unitedStates)
            let products = try Catalogue.products(identifiers, of: bundleIdentifier, db)
            var seen: Set<ProductIdentifier> = []
            for identifier in identifiers where seen.insert(identifier).inserted {
                if let product = products[identifier], product.isSold(in: listing.storefront) {
                    listing.products.append(product)
                } else {
                    listing.invalid.append(identifier)
                    listing.refused.append(.init(identifier, .init(products[identifier])))
                    if let product = products[identifier], product.isOffered,
                        !product.exclusions.contains(listing.storefront.countryCode),
                        product.isWithoutContract(in: listing.storefront)
                    {
                        listing.withoutContract.append(identifier)
                    }
                }
            }
            listing.content = try HostedContent.Summary.newest(
                of: listing.products.map(\.productIdentifier), in: bundleIdentifier, db)
            guard listing.products.contains(where: { $0.plan != nil }) else { return listing }
            for group in try SubscriptionGroup.all(of: bundleIdentifier, db) {
                listing.groups[group.identifier] = group
            }
            return listing
        }
    }
}
