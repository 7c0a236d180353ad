// SPDX-License-Identifier: Apache-2.0

import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An IP address.
package struct NetworkAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The address of a socket; `nil` for a socket of another family.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    /// An address in text; `nil` when the text isn't an IP address. An
    /// IPv4-mapped IPv6 address, which a dual-stack socket reports (RFC 4291,
    /// section 2.5.5.2), is the IPv4 address.
    package init?(_ text: String) {
        if let four = Self.ipv4(text) {
            bytes = four
        } else if let all = Self.ipv6(text) {
            let isMapped = all.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            bytes = isMapped ? Array(all.suffix(4)) : all
        } else {
            return nil
        }
    }

    /// The 4 bytes of an IPv4 address in text; `nil` for another text.
    static func ipv4(_ text: String) -> [UInt8]? {
        var address = in_addr()
        guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: address) { Array($0) }
    }

    /// The 16 bytes of an IPv6 address in text, which has no brackets; `nil`
    /// for another text.
    static func ipv6(_ text: String) -> [UInt8]? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        return withUnsafeBytes(of: address) { Array($0) }
    }

    /// Whether only this machine has the address (RFC 1122, section 3.2.1.3;
    /// RFC 4291, section 2.5.3).
    var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// The key that limits count the address by: an IPv4 address, or the first
    /// 64 bits of an IPv6 address, because one customer has all addresses with
    /// the same 64 bits (RFC 6177).
    var key: String {
        bytes.count == 4
            ? bytes.map { String($0) }.joined(separator: ".")
            : bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
}
