// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport
import Testing

@testable import StoreDomain

/// The operator's table of taxes.
struct TaxTableTests {
    private static let head = "country,category,rate,included\n"

    private func product(_ kind: Product.Kind) -> Product {
        Product(
            bundleIdentifier: "com.example.shop", productIdentifier: "book", kind: kind, referenceName: "Book",
            milliunits: 11_900, localizations: [])
    }

    @Test("A category's row is before that of all categories, and a country without a row has no tax")
    func rates() throws {
        let table = try TaxTable(
            reading: """
                # Rates of this store
                country,category,rate,included
                DEU,any,19,inclusive

                DEU, consumable, 7, inclusive
                USA,any,8.875,exclusive
                """, file: "taxes.csv")
        let (germany, usa) = (try #require(Storefront.named("DEU")), try #require(Storefront.named("USA")))
        #expect(table.rate(of: product(.nonConsumable), in: germany)?.thousandths == 19_000)
        #expect(table.rate(of: product(.consumable), in: germany)?.thousandths == 7_000)
        #expect(table.rate(of: product(.consumable), in: usa) == TaxTable.Rate(thousandths: 8_875, isIncluded: false))
        #expect(table.rate(of: product(.consumable), in: try #require(Storefront.named("FRA"))) == nil)
        #expect(TaxTable().rate(of: product(.consumable), in: germany) == nil)
    }

    @Test("The tax in a price is rounded to hundredths")
    func parts() {
        let rate = TaxTable.Rate(thousandths: 19_000, isIncluded: true)
        #expect(rate.part(of: Money(milliunits: 11_900, currency: "EUR"))?.milliunits == 1_900)
        #expect(rate.part(of: Money(milliunits: 990, currency: "EUR"))?.milliunits == 160)
        #expect(rate.part(of: Money(milliunits: .max, currency: "EUR")) == nil)
        #expect(
            TaxTable.Rate(thousandths: 19_000, isIncluded: false).part(of: Money(milliunits: 1, currency: "USD")) == nil
        )
    }

    @Test(
        "A line that can't be read is named with its number",
        arguments: [
            ("", "t.csv:1: the first line is country"), ("DEU,any,19,inclusive", "t.csv:1: the first line is country"),
            (head + "DEU,any,19", "t.csv:2: a row has 4 fields"),
            (head + "\nDE,any,19,inclusive", "t.csv:3: there is no"),
            (head + "DEU,food,19,inclusive", "t.csv:2: the category isn't \"food\""),
            (head + "DEU,any,-1,inclusive", "t.csv:2: the rate"), (head + "DEU,any,101,inclusive", "t.csv:2: the rate"),
            (head + "DEU,any,19,yes", "t.csv:2: the last field"),
            (head + "DEU,any,19,inclusive\nDEU,any,7,inclusive", "t.csv:3: DEU has a row for any already"),
        ])
    func refusals(text: String, message: String) {
        let error = #expect(throws: DomainError.self) { try TaxTable(reading: text, file: "t.csv") }
        #expect(error?.code == .invalid && error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }
}
