// SPDX-License-Identifier: Apache-2.0

/// The answers of Connect's API. Moments are ISO 8601, and prices decimals such
/// as `0.99`. A field without a value is left out.
enum ConnectAnswers {
    /// The team of the key, and the actions of its role.
    struct Team: Encodable {
        var team: String
        var name: String
        var environment: String
        var key: String
        var role: String
        var actions: [String]
    }

    struct Role: Encodable {
        var role: String
        var actions: [String]
    }

    struct Roles: Encodable {
        var roles: [Role]
    }

    struct User: Encodable {
        var user: String
        var email: String
        var name: String
        var role: String
        var usesCodes: Bool
        var joined: String
    }

    struct Users: Encodable {
        var users: [User]
        var next: String?
    }

    struct Invitation: Encodable {
        var email: String
        var role: String
        var inviter: String
        var created: String
        var expires: String
    }

    struct Invitations: Encodable {
        var invitations: [Invitation]
    }

    /// A one-time address, which is shown once.
    struct OneTimeAddress: Encodable {
        var address: String
    }

    struct Change: Encodable {
        var number: Int64
        var at: String
        /// The user's e-mail address, or the name of a key; `nil` for the
        /// operator.
        var user: String?
        var kind: String
        var subject: String
        var before: String
        var after: String
    }

    struct Changes: Encodable {
        var changes: [Change]
        var next: Int64?
    }

    struct App: Encodable {
        var bundle: String
        var name: String
        var sku: String?
        var locale: String?
        /// The app's number in the store; `nil` before it is drawn.
        var appleId: Int64?
        /// `used` or `removed`.
        var state: String
        var version: Int64
    }

    struct Apps: Encodable {
        var apps: [App]
        var next: String?
    }

    struct Group: Encodable {
        var group: String
        var name: String
    }

    struct Groups: Encodable {
        var groups: [Group]
    }

    struct Tier: Encodable {
        var tier: Int
        /// `0` to `87`, `A`, `B`, `Alt1` to `Alt5`.
        var name: String
        /// The price in USD.
        var price: String
        /// The prices by currency.
        var prices: [String: String]
    }

    struct Tiers: Encodable {
        var tiers: [Tier]
    }
}

extension ConnectAnswers {
    struct ListedProduct: Encodable {
        var product: String
        var kind: String
        var reference: String
        var isForSale: Bool
    }

    struct Products: Encodable {
        var products: [ListedProduct]
        var next: String?
    }

    struct Text: Encodable {
        var title: String
        var description: String
    }

    struct Subscription: Encodable {
        var group: String
        var level: Int
        var period: String
        var contactBonus: String?
    }

    struct Review: Encodable {
        var state: String
        var reason: String?
        var submitted: String?
    }

    struct Product: Encodable {
        var bundle: String
        var product: String
        var kind: String
        var reference: String
        /// The state that the pages show.
        var state: String
        /// The values without which it isn't sold.
        var missing: [String]
        /// The tier of the price; `nil` without a price, or with another one.
        var tier: Int?
        /// The price where no other one is set.
        var price: String?
        /// The prices that aren't the tier's, by country.
        var prices: [String: String]
        /// The countries in which it isn't sold.
        var exclusions: [String]
        var cleared: Bool
        var family: Bool
        var texts: [String: Text]
        var note: String
        var review: Review
        var subscription: Subscription?
        var version: Int64
    }
}
