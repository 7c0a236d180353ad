// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The names of the orders of lists.
struct SortWords: PageWords {
    /// Before the names.
    var label: String
    var name: String
    var bundle: String
    var product: String
    var reference: String
    var email: String
    var number: String
    var newest: String
    var oldest: String

    static let english = SortWords(
        label: "Sorted by",
        name: "Name",
        bundle: "Bundle identifier",
        product: "Product identifier",
        reference: "Reference name",
        email: "E-mail address",
        number: "Number",
        newest: "Newest first",
        oldest: "Oldest first")

    static let german = SortWords(
        label: "Sortiert nach",
        name: "Name",
        bundle: "Bundle-ID",
        product: "Produkt-ID",
        reference: "Referenzname",
        email: "E-Mail-Adresse",
        number: "Nummer",
        newest: "Neueste zuerst",
        oldest: "Älteste zuerst")

    static let french = SortWords(
        label: "Trié par",
        name: "Nom",
        bundle: "Identifiant de lot",
        product: "Identifiant du produit",
        reference: "Nom de référence",
        email: "Adresse e-mail",
        number: "Numéro",
        newest: "Les plus récents d’abord",
        oldest: "Les plus anciens d’abord")
}

/// An order that a page names.
protocol NamedSort: ListSort {
    var words: KeyPath<SortWords, String> { get }
}

extension AppSort: NamedSort {
    var words: KeyPath<SortWords, String> {
        switch self {
        case .bundle: \.bundle
        case .name: \.name
        case .newest: \.newest
        }
    }
}

extension ProductSort: NamedSort {
    var words: KeyPath<SortWords, String> {
        switch self {
        case .product: \.product
        case .reference: \.reference
        case .newest: \.newest
        }
    }
}

extension ItemSort: NamedSort {
    var words: KeyPath<SortWords, String> {
        switch self {
        case .number: \.number
        case .name: \.name
        case .newest: \.newest
        }
    }
}

extension TesterSort: NamedSort {
    var words: KeyPath<SortWords, String> {
        switch self {
        case .email: \.email
        case .newest: \.newest
        }
    }
}

extension UserSort: NamedSort {
    var words: KeyPath<SortWords, String> {
        switch self {
        case .email: \.email
        case .name: \.name
        case .newest: \.newest
        }
    }
}

extension ReviewSort: NamedSort {
    var words: KeyPath<SortWords, String> {
        switch self {
        case .oldest: \.oldest
        case .newest: \.newest
        }
    }
}

extension PurchaseSort: NamedSort {
    var words: KeyPath<SortWords, String> {
        switch self {
        case .newest: \.newest
        case .oldest: \.oldest
        }
    }
}
