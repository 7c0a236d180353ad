// SPDX-License-Identifier: Apache-2.0

/// The orders of a list of Connect. Their raw values are the values of the
/// parameter `sort` of an address.
package protocol ListSort: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The order of an address without the parameter.
    static var usual: Self { get }
}

extension ListSort {
    /// The value of the parameter; empty for the usual order.
    package var parameter: String { self == .usual ? "" : rawValue }
}

/// The orders of a list whose places are of the type ``ListPlace``.
package protocol PlacedSort: ListSort {
    /// The columns by which the order sorts.
    var sorting: ListSorting { get }
}

extension PlacedSort {
    /// The place of a text that ``ListPlace/text`` has made; `nil` for any text
    /// that isn't a place of this order.
    package func place(_ text: String) -> ListPlace? { ListPlace(text, in: sorting) }
}

/// The orders of the apps of a team.
package enum AppSort: String, PlacedSort {
    case bundle, name, newest

    package static let usual = Self.bundle

    package var sorting: ListSorting {
        switch self {
        case .bundle: ListSorting(.identifier, identifier: "bundle_id")
        case .name: ListSorting(.text("name"), identifier: "bundle_id")
        case .newest: ListSorting(.newest("registered_at"), identifier: "bundle_id")
        }
    }
}

/// The orders of the products of an app.
package enum ProductSort: String, PlacedSort {
    case product, reference, newest

    package static let usual = Self.product

    package var sorting: ListSorting {
        switch self {
        case .product: ListSorting(.identifier, identifier: "product_id")
        case .reference: ListSorting(.text("reference_name"), identifier: "product_id")
        case .newest: ListSorting(.newest("registered_at"), identifier: "product_id")
        }
    }
}

/// The orders of the items of a team.
package enum ItemSort: String, PlacedSort {
    case number, name, newest

    package static let usual = Self.number

    package var sorting: ListSorting {
        switch self {
        case .number: ListSorting(.identifier, identifier: "item_id", isNumber: true)
        case .name: ListSorting(.text("name"), identifier: "item_id", isNumber: true)
        case .newest: ListSorting(.newest("added_at"), identifier: "item_id", isNumber: true)
        }
    }
}

/// The orders of the sandbox testers of a team.
package enum TesterSort: String, PlacedSort {
    case email, newest

    package static let usual = Self.email

    package var sorting: ListSorting {
        switch self {
        case .email: ListSorting(.identifier, identifier: "email")
        case .newest: ListSorting(.newest("created_at"), identifier: "email")
        }
    }
}

/// The orders of the users of a team.
package enum UserSort: String, PlacedSort {
    case email, name, newest

    package static let usual = Self.email

    package var sorting: ListSorting {
        switch self {
        case .email: ListSorting(.identifier, identifier: "email")
        case .name: ListSorting(.text("name"), identifier: "email")
        case .newest: ListSorting(.newest("created_at"), identifier: "email")
        }
    }
}

/// The orders of the queue of the review, by the time of the submission.
package enum ReviewSort: String, ListSort {
    case oldest, newest

    package static let usual = Self.oldest
}

/// The orders of the purchases of a team's apps, by the time of the purchase.
package enum PurchaseSort: String, ListSort {
    case newest, oldest

    package static let usual = Self.newest
}
