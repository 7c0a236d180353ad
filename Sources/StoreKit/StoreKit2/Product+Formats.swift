// SPDX-License-Identifier: Apache-2.0

public import Foundation

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// Formats prices as the storefront does.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        .currency(code: currency).locale(Locale(identifier: priceLocale))
    }

    /// Formats the unit of a subscription's period in the storefront's
    /// language.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public var subscriptionPeriodUnitFormatStyle: Product.SubscriptionPeriod.Unit.FormatStyle {
        Product.SubscriptionPeriod.Unit.FormatStyle(locale: Locale(identifier: priceLocale))
    }
}
