// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// Writes prices as a storefront does.
struct PriceText {
    let style: Decimal.FormatStyle.Currency

    init(_ info: ProductInfo) {
        style = .currency(code: info.currency).locale(Locale(identifier: info.priceLocale))
    }

    func text(of milliunits: Int64) -> String {
        Decimal(milliunits: milliunits).formatted(style)
    }
}

extension Decimal {
    /// A number of thousandths.
    init(milliunits: Int64) {
        self = Decimal(milliunits) / 1000
    }
}
