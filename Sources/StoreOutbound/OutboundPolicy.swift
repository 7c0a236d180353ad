// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The addresses to which an environment's store connects.
///
/// A name is resolved once, each of its addresses is checked, and the
/// connection goes to one that was checked: a name that is resolved to another
/// address a moment later changes nothing.
package struct OutboundPolicy: Hashable, Sendable {
    private enum Rule: Hashable, Sendable {
        case sandbox, production, forwarding
    }

    private let rule: Rule

    /// The sandbox: `https` to any address, also one of a private network in
    /// which tests run; `http` to the same computer.
    package static let sandbox = OutboundPolicy(rule: .sandbox)
    /// Production: `https` to the internet. A seller can't reach the network of
    /// the store through it.
    package static let production = OutboundPolicy(rule: .production)
    /// A program that its user runs, such as `storectl notifications listen`:
    /// any address.
    package static let forwarding = OutboundPolicy(rule: .forwarding)

    private init(rule: Rule) {
        self.rule = rule
    }

    /// The policy of an environment's store.
    package init(of environment: StoreEnvironment) {
        self = environment == .sandbox ? .sandbox : .production
    }

    /// Whether names are resolved and checked for a scheme. Otherwise every
    /// address is allowed.
    func checksAddresses(of scheme: Scheme) -> Bool {
        switch rule {
        case .sandbox: scheme == .http
        case .production: true
        case .forwarding: false
        }
    }

    /// The scheme of a URL.
    enum Scheme: String, Hashable, Sendable {
        case http, https
    }

    /// Whether the store connects to an address.
    func allows(_ scheme: Scheme, to address: IPAddress) -> Bool {
        switch rule {
        case .sandbox: scheme == .https || address.reach == .loopback
        case .production: scheme == .https && address.reach == .global
        case .forwarding: true
        }
    }

    /// The address to which the store connects, of those of a name; `nil` when
    /// none is allowed. One that isn't allowed refuses all of them: a name of
    /// the internet has no address of a private network.
    func choose(_ addresses: [IPAddress], for scheme: Scheme) -> IPAddress? {
        addresses.allSatisfy { allows(scheme, to: $0) } ? addresses.first : nil
    }
}
