// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The server of a bucket: scheme, host and port, without a path.
struct BucketEndpoint: Hashable, Sendable {
    /// `http` or `https`.
    let scheme: String
    /// The host as the field `Host` has it: with the port unless it is the
    /// scheme's own.
    let host: String

    /// Reads an address such as `http://127.0.0.1:9000`.
    ///
    /// - Throws: ``BucketSettingError``.
    init(_ text: String) throws {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let name = parts.percentEncodedHost, !name.isEmpty,
            parts.user == nil, parts.password == nil, ["", "/"].contains(parts.path), parts.query == nil,
            parts.fragment == nil, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw BucketSettingError(
                "The endpoint of a bucket is http:// or https:// with a host and perhaps a port, not \"\(text)\".")
        }
        self.scheme = scheme
        let isUsual = parts.port == nil || parts.port == (scheme == "https" ? 443 : 80)
        host = isUsual ? name.lowercased() : "\(name.lowercased()):\(parts.port ?? 0)"
    }

    var text: String { "\(scheme)://\(host)" }
}
