// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
    /// From where an address is reached.
    package enum Reach: String, Hashable, Sendable {
        /// The same computer.
        case loopback
        /// No computer: "this network" of version 4, `::` of version 6.
        case unspecified
        /// A private network (RFC 1918, RFC 4193), also a former site-local one.
        case privateNetwork
        /// The same link. Clouds serve credentials at such addresses.
        case linkLocal
        /// The network of a provider between its customers (RFC 6598).
        case providerNetwork
        case multicast
        /// Documentation, benchmarks, protocols, and the future.
        case reserved
        /// The internet.
        case global
    }

    /// The networks that aren't the internet's: the special-purpose registries
    /// of IANA (RFC 6890), version 4.
    private static let networks4: [(text: [UInt8], length: Int, reach: Reach)] = [
        ([0, 0, 0, 0], 8, .unspecified),
        ([10, 0, 0, 0], 8, .privateNetwork),
        ([100, 64, 0, 0], 10, .providerNetwork),
        ([127, 0, 0, 0], 8, .loopback),
        ([169, 254, 0, 0], 16, .linkLocal),
        ([172, 16, 0, 0], 12, .privateNetwork),
        ([192, 0, 0, 0], 24, .reserved),
        ([192, 0, 2, 0], 24, .reserved),
        ([192, 88, 99, 0], 24, .reserved),
        ([192, 168, 0, 0], 16, .privateNetwork),
        ([198, 18, 0, 0], 15, .reserved),
        ([198, 51, 100, 0], 24, .reserved),
        ([203, 0, 113, 0], 24, .reserved),
        ([224, 0, 0, 0], 4, .multicast),
        ([240, 0, 0, 0], 4, .reserved),
    ]

    /// The same of version 6, by the first groups of 16 bits. Of the rest only
    /// `2000::/3` is the internet's.
    private static let networks6: [(groups: [UInt16], length: Int, reach: Reach)] = [
        ([0, 0, 0, 0, 0, 0, 0, 1], 128, .loopback),
        ([0, 0, 0, 0, 0, 0, 0, 0], 128, .unspecified),
        ([0xfc00], 7, .privateNetwork),
        ([0xfe80], 10, .linkLocal),
        ([0xfec0], 10, .privateNetwork),
        ([0xff00], 8, .multicast),
        // IETF protocols, with Teredo, benchmarks and ORCHID.
        ([0x2001, 0x0000], 23, .reserved),
        ([0x2001, 0x0db8], 32, .reserved),
        ([0x3fff], 20, .reserved),
    ]

    /// The networks of version 6 whose addresses contain one of version 4 that
    /// is reached, with its place: IPv4-mapped (RFC 4291), NAT64 (RFC 6052) and
    /// 6to4 (RFC 3056).
    private static let embedding: [(groups: [UInt16], length: Int, place: Int)] = [
        ([0, 0, 0, 0, 0, 0xffff], 96, 12),
        ([0x0064, 0xff9b], 96, 12),
        ([0x2002], 16, 2),
    ]

    private static let special: [(network: Network, reach: Reach)] =
        networks4.compactMap { entry in
            IPAddress(entry.text).map { (Network(first: $0, length: entry.length), entry.reach) }
        } + networks6.compactMap { entry in network(entry.groups, entry.length).map { ($0, entry.reach) } }

    private static let containers: [(network: Network, place: Int)] = embedding.compactMap { entry in
        network(entry.groups, entry.length).map { ($0, entry.place) }
    }

    private static let internet = network([0x2000], 3)

    private static func network(_ groups: [UInt16], _ length: Int) -> Network? {
        let bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        return IPAddress(bytes + Array(repeating: 0, count: 16 - bytes.count)).map {
            Network(first: $0, length: length)
        }
    }

    /// From where the address is reached. An address that contains one of
    /// version 4 is reached as that one is.
    package var reach: Reach {
        if let container = Self.containers.first(where: { $0.network.contains(self) }) {
            return embedded(at: container.place)?.reach ?? .reserved
        }
        if let entry = Self.special.first(where: { $0.network.contains(self) }) { return entry.reach }
        guard bytes.count == 16 else { return .global }
        return Self.internet?.contains(self) == true ? .global : .reserved
    }
}
