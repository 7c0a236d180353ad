// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ListedItem {
    private static let titlesOfProducts = BatchedStatement(firstPlace: 2) { list in
        "SELECT product_id, title FROM product_localization WHERE bundle_id = $1 AND product_id IN (\(list))"
    }

    /// The items of a team other than apps that follow a place in an order.
    static func page(
        of team: TeamIdentifier, by sort: ItemSort, after place: ListPlace?, limit: Int, withTitles: Bool,
        _ db: StoreTransaction
    ) throws -> [PlacedEntry<ListedItem>] {
        let sorting = sort.sorting
        let rows = try db.rows(
            """
            SELECT item_id, item.kind AS kind, name, added_at, product.milliunits AS milliunits, pricing,
                (
                    SELECT price.milliunits FROM product_price AS price
                    WHERE price.bundle_id = product.bundle_id AND price.product_id = product.product_id
                        AND price.storefront = 'USA'
                ) AS own_milliunits
            FROM item JOIN product
                ON product.bundle_id = '\(Item.catalogue)' AND product.product_id = CAST(item.item_id AS TEXT)
            WHERE team_id = $1 AND item.kind <> 'app' AND \(sorting.condition(from: 3))
            ORDER BY \(sorting.terms) LIMIT $2
            """, [team, limit] + sorting.arguments(after: place))
        var found = try rows.map { row in
            PlacedEntry(value: try ListedItem(row), place: try sorting.place(row))
        }
        guard withTitles else { return found }
        let titles = try titles(of: found.map(\.value.identifier), db)
        for index in found.indices { found[index].value.titles = titles[found[index].value.identifier] ?? [] }
        return found
    }

    private init(_ row: Row) throws {
        let base: Int64 = try row.get("milliunits")
        let own: Int64? = try row.get("own_milliunits")
        let country = Storefront.unitedStates
        self.init(
            identifier: try row.get("item_id"), kind: Item.Kind(rawValue: try row.get("kind")) ?? .app,
            name: try row.get("name"), milliunits: base,
            dollars: Product.price(
                base, own.map { [country.countryCode: $0] } ?? [:], Pricing(number: try row.get("pricing")), in: country
            ))
    }

    private static func titles(of items: [Int64], _ db: StoreTransaction) throws -> [Int64: [String]] {
        var found: [Int64: [String]] = [:]
        for batch in titlesOfProducts.batches(of: items.map(Item.product)) {
            let arguments: [any DatabaseValueConvertible] = [Item.catalogue]
            for row in try db.rows(batch.sql, arguments + batch.values) {
                let product: ProductIdentifier = try row.get("product_id")
                guard let item = Int64(product.rawValue) else { continue }
                found[item, default: []].append(try row.get("title"))
            }
        }
        return found
    }
}
