// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import Testing

@testable import StoreKit

struct PriceTests {
    private func product(_ milliunits: Int64, _ currency: String, _ locale: String) -> SKProduct {
        SKProduct(
            ProductInfo(
                productIdentifier: "com.example.apple", type: .nonConsumable, title: "Apple", description: "Red",
                milliunits: milliunits, currency: currency, priceLocale: locale, isFamilyShareable: false))
    }

    private func formatted(_ product: SKProduct) -> String? {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        return formatter.string(from: product.price)
    }

    @Test(
        "A price is an exact decimal number",
        arguments: [
            (0, "0"), (1, "0.001"), (990, "0.99"), (1000, "1"), (1_234_560, "1234.56"),
            (Int64.max, "9223372036854775.807"), (-990, "-0.99"),
        ])
    func aPriceIsExact(_ milliunits: Int64, _ text: String) {
        let price = product(milliunits, "USD", "en_US@currency=USD").price
        #expect(price.stringValue == text)
        #expect(price == NSDecimalNumber(string: text))
    }

    @Test("A price is formatted by its own locale") func aPriceIsFormattedByItsOwnLocale() {
        #expect(formatted(product(1_234_560, "USD", "en_US@currency=USD")) == "$1,234.56")
        #expect(formatted(product(1_234_560, "EUR", "de_DE@currency=EUR")) == "1.234,56\u{a0}€")
        #expect(formatted(product(1_234_560, "GBP", "en_GB@currency=GBP")) == "£1,234.56")
        #expect(formatted(product(120_000, "JPY", "en_US@currency=JPY")) == "¥120")
    }

    /// The slides of 2014 on formatting prices, in each storefront's locale.
    /// CLDR has a no-break space (U+00A0) where the slides have a space.
    @Test(
        "A price is formatted as on the slides of 2014",
        arguments: [
            ("EUR", "de_DE", "1.234,56\u{a0}€"), ("GBP", "en_GB", "£1,234.56"), ("EUR", "en_IE", "€1,234.56"),
            ("HRK", "hr_HR", "1.234,56\u{a0}kn"), ("BRL", "pt_BR", "R$\u{a0}1.234,56"), ("THB", "th_TH", "฿1,234.56"),
            ("USD", "en_US", "$1,234.56"),
        ])
    func aPriceIsWrittenAsOnTheSlides(_ currency: String, _ locale: String, _ text: String) {
        let storefront = "\(locale)@currency=\(currency)"
        #expect(formatted(product(1_234_560, currency, storefront)) == text)
    }

    @Test("The price's locale names the product's currency") func theLocaleNamesTheCurrency() {
        #expect(product(990, "EUR", "en_GB@currency=EUR").priceLocale.currency?.identifier == "EUR")
    }
}
