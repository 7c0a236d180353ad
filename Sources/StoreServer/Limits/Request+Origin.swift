// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import StoreAPI

extension Hummingbird.Request {
    /// Refuses a request that a page of another origin has sent.
    ///
    /// Browsers send `Sec-Fetch-Site` (Fetch Metadata) when the store's
    /// address is https or this machine's, and `Origin` otherwise. Other
    /// clients send neither.
    ///
    /// - Parameter publicURL: The store's address, which a proxy may have
    ///   replaced in the request's head.
    /// - Throws: `StoreFailure` `crossSite`.
    func refuseOtherOrigins(of publicURL: String) throws {
        let isOurs =
            if let name = HTTPField.Name("Sec-Fetch-Site"), let site = headers[name] {
                site == "same-origin" || site == "none"
            } else if let origin = headers[.origin] {
                [publicURL, "http://\(head.authority ?? "")", "https://\(head.authority ?? "")"].contains(origin)
            } else {
                true
            }
        guard isOurs else { throw StoreFailure(.crossSite, "This request was sent by a page of another site.") }
    }
}
