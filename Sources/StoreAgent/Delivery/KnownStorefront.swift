// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// The customer's storefront as this process knows it.
struct KnownStorefront: Sendable {
    private var storefront: StorefrontInfo?

    init(_ storefront: StorefrontInfo?) {
        self.storefront = storefront
    }

    /// Takes the storefront of the journal.
    ///
    /// - Returns: the update for the subscribers; `nil` when the storefront is
    ///   the same, or the first one that is known.
    mutating func change(to now: StorefrontInfo?) -> AgentUpdate? {
        guard let now else { return nil }
        defer { storefront = now }
        guard let storefront, !now.isSame(as: storefront) else { return nil }
        return .storefrontChanged(now, before: storefront)
    }
}
