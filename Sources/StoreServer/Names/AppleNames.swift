// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The host names of Apple's services for sellers' servers, which a test points
/// at the store. The name decides the environment.
package enum AppleNames {
    /// `/verifyReceipt`, the App Store Server API, and its older name.
    package static let sandbox = [
        "sandbox.itunes.apple.com", "api.storekit-sandbox.apple.com", "api.storekit-sandbox.itunes.apple.com",
    ]
    /// The same three of production.
    package static let production = [
        "buy.itunes.apple.com", "api.storekit.apple.com", "api.storekit.itunes.apple.com",
    ]

    package static var all: [String] { production + sandbox }

    /// The environment of the host of a request, which may have a port; `nil`
    /// for another name.
    static func environment(ofHost authority: String?) -> StoreEnvironment? {
        let host = authority.map(AllowedHosts.host) ?? ""
        if sandbox.contains(host) { return .sandbox }
        return production.contains(host) ? .production : nil
    }
}
