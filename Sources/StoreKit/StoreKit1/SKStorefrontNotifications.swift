// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension NSNotification.Name {
    /// Posted on the main queue, with the payment queue as its object, when
    /// the storefront is in another country than before.
    @available(iOS, deprecated: 18.0)
    @available(macOS, deprecated: 15.0)
    public static let SKStorefrontCountryCodeDidChange = NSNotification.Name(
        "SKStorefrontCountryCodeDidChangeNotification")

    /// Posted on the main queue, with the payment queue as its object, when
    /// the storefront has another identifier than before.
    @available(iOS, deprecated: 18.0)
    @available(macOS, deprecated: 15.0)
    public static let SKStorefrontIdentifierDidChange = NSNotification.Name(
        "SKStorefrontIdentifierDidChangeNotification")
}
