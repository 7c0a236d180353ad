// SPDX-License-Identifier: Apache-2.0

/// An item in a list of its team, without its texts.
package struct ListedItem: Hashable, Sendable {
    package var identifier: Int64
    package var kind: Item.Kind
    /// The reference name of its product.
    package var name: String
    /// The base price in thousandths.
    package var milliunits: Int64
    /// The price in the United States.
    package var dollars: Money
    /// The titles in all languages, which a search reads.
    var titles: [String] = []

    init(identifier: Int64, kind: Item.Kind, name: String, milliunits: Int64, dollars: Money) {
        self.identifier = identifier
        self.kind = kind
        self.name = name
        self.milliunits = milliunits
        self.dollars = dollars
    }
}
