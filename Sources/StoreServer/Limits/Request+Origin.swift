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
                isOwn(origin: origin, of: publicURL)
            } else {
                true
            }
        guard isOurs else { throw StoreFailure(.crossSite, "This request was sent by a page of another site.") }
    }

    /// Whether a page of the store has an origin.
    ///
    /// Pages of an https store have the origin of its address only: anybody on
    /// the way to a customer can make a page of the same host over http. Pages
    /// of another store may also be opened by another name of it.
    func isOwn(origin: String, of publicURL: String) -> Bool {
        if publicURL.hasPrefix("https://") { return origin == Self.origin(ofHTTPS: publicURL) }
        let authority = head.authority ?? ""
        return [publicURL, "http://\(authority)", "https://\(authority)"].contains(origin)
    }

    /// The origin of an https address as browsers write it (RFC 6454, section
    /// 6.2): lowercase, without the port 443 and without a path.
    private static func origin(ofHTTPS address: String) -> String {
        let origin = address.lowercased().split(separator: "/").prefix(2).joined(separator: "//")
        return origin.hasSuffix(":443") ? String(origin.dropLast(4)) : origin
    }
}
