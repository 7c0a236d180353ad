// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import StoreAPI

/// The host names that requests may be sent to.
///
/// They protect against DNS rebinding: a page of another site whose name
/// resolves to this machine sends its requests to that name, and they are
/// refused.
package struct AllowedHosts: Sendable {
    /// Lower case, without a port; an IPv6 address has its brackets.
    private let names: Set<String>
    private let allowsAddresses: Bool

    /// - Parameters:
    ///   - names: Names and addresses, without ports.
    ///   - allowsAddresses: Whether every IP address is allowed too, for a
    ///     store that listens on all of them: rebinding needs a name.
    package init(_ names: some Sequence<String>, allowsAddresses: Bool = false) {
        self.names = Set(names.map(Self.normalized))
        self.allowsAddresses = allowsAddresses
    }

    /// Whether a text can be the name of a host, or an IPv6 address.
    package static func isName(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        return isAddress(normalized(text)) || !text.contains { " /@:".contains($0) }
    }

    func allows(authority: String?) -> Bool {
        guard let authority, !authority.isEmpty, authority.utf8.count <= 300 else { return false }
        let host = Self.host(of: authority)
        return names.contains(host) || (allowsAddresses && Self.isAddress(host))
    }

    /// The name without the port; an IPv6 address keeps its brackets.
    static func host(of authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return normalized(authority) }
        return normalized(String(authority[..<colon]))
    }

    private static func normalized(_ name: String) -> String {
        let name = name.lowercased()
        let rooted = name.hasSuffix(".") ? String(name.dropLast()) : name
        return rooted.contains(":") && !rooted.hasPrefix("[") ? "[\(rooted)]" : rooted
    }

    private static func isAddress(_ host: String) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            return NetworkAddress.ipv6(String(host.dropFirst().dropLast())) != nil
        }
        return NetworkAddress.ipv4(host) != nil
    }
}

/// Refuses requests that are sent to a host name which isn't allowed.
struct HostMiddleware: RouterMiddleware {
    let hosts: AllowedHosts
    /// Paths that load balancers request by any address of a node.
    static let exempt: Set<String> = ["/healthz", "/readyz"]

    func handle(
        _ request: Request, context: StoreRequestContext,
        next: (Request, StoreRequestContext) async throws -> Response
    ) async throws -> Response {
        guard Self.exempt.contains(request.uri.path) || hosts.allows(authority: request.head.authority) else {
            throw StoreFailure(
                .crossSite,
                "The store isn't called by this name: add it with storectl serve --allow-host NAME.")
        }
        return try await next(request, context)
    }
}
