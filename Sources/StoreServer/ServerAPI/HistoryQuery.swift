// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The query of Get Transaction History, with Apple's names. Parameters of
/// other names have no meaning here.
struct HistoryQuery {
    var filter = PurchaseFilter()
    var order = ReadingServedHistory.Order.ascending
    var revision: PurchaseRevision?

    /// The most values of one parameter.
    static let mostValues = 100
    /// The longest value of a parameter, in bytes: the longest identifier of a
    /// product.
    static let longestValue = 255

    private static let kinds: [String: Product.Kind] = [
        "AUTO_RENEWABLE": .autoRenewable, "NON_RENEWABLE": .nonRenewing, "CONSUMABLE": .consumable,
        "NON_CONSUMABLE": .nonConsumable,
    ]

    /// - Throws: `ServerError` with the number of the wrong parameter.
    init(_ query: Parameters) throws(ServerError) {
        revision = try Self.revision(query)
        filter.start = try Self.time(query, "startDate", or: .invalidStartDate)
        filter.end = try Self.time(query, "endDate", or: .invalidEndDate)
        if let start = filter.start, let end = filter.end, end <= start { throw .startDateAfterEndDate }
        filter.products = Set(try Self.texts(query, "productId", or: .invalidProduct).map { ProductIdentifier($0) })
        filter.groups = Set(
            try Self.texts(query, "subscriptionGroupIdentifier", or: .invalidGroup).map {
                SubscriptionGroupIdentifier($0)
            })
        for word in try Self.texts(query, "productType", or: .invalidProductType) {
            guard let kind = Self.kinds[word] else { throw .invalidProductType }
            filter.kinds.insert(kind)
        }
        switch query["sort"] ?? "ASCENDING" {
        case "ASCENDING": order = .ascending
        case "DESCENDING": order = .descending
        default: throw .invalidSort
        }
        switch query["inAppOwnershipType"] {
        case nil: break
        case "PURCHASED": filter.isShared = false
        case "FAMILY_SHARED": filter.isShared = true
        case "ASSIGNED": filter.isAssigned = true
        default: throw .invalidOwnership
        }
        filter.revoked = try Self.bool(query, "revoked", or: .invalidRevoked)
        if try Self.bool(query, "excludeRevoked", or: .invalidExcludeRevoked) == true { filter.revoked = false }
    }

    /// The place after which the answer begins; `nil` for the first page.
    static func revision(_ query: Parameters) throws(ServerError) -> PurchaseRevision? {
        guard let text = query["revision"], !text.isEmpty else { return nil }
        guard let revision = PurchaseRevision(String(text)) else { throw .invalidRevision }
        return revision
    }

    private static func time(
        _ query: Parameters, _ name: Substring, or error: ServerError
    ) throws(ServerError) -> StoreTime? {
        guard let text = query[name] else { return nil }
        guard let milliseconds = Int64(text), milliseconds >= 0 else { throw error }
        return StoreTime(milliseconds: milliseconds)
    }

    private static func texts(
        _ query: Parameters, _ name: Substring, or error: ServerError
    ) throws(ServerError) -> [String] {
        let texts = query.getAll(String(name))
        guard texts.count <= mostValues, texts.allSatisfy({ (1...longestValue).contains($0.utf8.count) }) else {
            throw error
        }
        return texts
    }

    /// Also in capitals: Apple's library for Python 3.1.2 sends `revoked=False`.
    private static func bool(
        _ query: Parameters, _ name: Substring, or error: ServerError
    ) throws(ServerError) -> Bool? {
        guard let text = query[name]?.lowercased() else { return nil }
        guard text == "true" || text == "false" else { throw error }
        return text == "true"
    }
}
