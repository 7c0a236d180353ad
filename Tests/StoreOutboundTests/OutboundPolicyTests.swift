// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreOutbound

/// The addresses to which a store connects.
struct OutboundPolicyTests {
    private static let table: [(address: String, reach: IPAddress.Reach)] = [
        ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified), ("::", .unspecified),
        ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("::1", .loopback),
        ("10.0.0.1", .privateNetwork), ("10.255.255.255", .privateNetwork), ("172.16.0.1", .privateNetwork),
        ("172.31.255.255", .privateNetwork), ("192.168.0.1", .privateNetwork), ("fc00::1", .privateNetwork),
        ("fdff::1", .privateNetwork), ("fec0::1", .privateNetwork),
        ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
        ("100.64.0.1", .providerNetwork), ("100.127.255.255", .providerNetwork),
        ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("ff02::1", .multicast),
        ("192.0.0.1", .reserved), ("192.0.2.1", .reserved), ("192.88.99.1", .reserved), ("198.18.0.1", .reserved),
        ("198.19.255.255", .reserved), ("198.51.100.1", .reserved), ("203.0.113.1", .reserved),
        ("240.0.0.1", .reserved), ("255.255.255.255", .reserved), ("2001:db8::1", .reserved),
        ("2001::1", .reserved), ("2001:20::1", .reserved), ("3fff::1", .reserved), ("100::1", .reserved),
        ("5f00::1", .reserved), ("64:ff9b:1::1", .reserved), ("4000::1", .reserved),
        // IPv4-compatible, which no network uses any more.
        ("::8.8.8.8", .reserved), ("::127.0.0.1", .reserved),
        ("8.8.8.8", .global), ("9.255.255.255", .global), ("11.0.0.0", .global), ("100.63.255.255", .global),
        ("100.128.0.0", .global), ("126.255.255.255", .global), ("128.0.0.0", .global), ("169.253.255.255", .global),
        ("172.15.255.255", .global), ("172.32.0.0", .global), ("192.0.1.0", .global), ("198.17.255.255", .global),
        ("198.20.0.0", .global), ("223.255.255.255", .global), ("2606:4700::1", .global), ("2001:4860::1", .global),
        ("3ffe::1", .global),
        // Addresses of version 6 that reach one of version 4.
        ("::ffff:127.0.0.1", .loopback), ("::ffff:10.0.0.1", .privateNetwork), ("::ffff:8.8.8.8", .global),
        ("64:ff9b::169.254.169.254", .linkLocal), ("64:ff9b::8.8.8.8", .global),
        ("2002:7f00:1::1", .loopback), ("2002:a00:1::", .privateNetwork), ("2002:808:808::1", .global),
    ]

    @Test("From where an address is reached", arguments: table.indices)
    func reach(index: Int) throws {
        let (text, reach) = Self.table[index]
        let address = try #require(IPAddress(text))
        #expect(address.reach == reach, "\(text)")
        #expect(IPAddress(address.text) == address)
    }

    @Test("A name and a number in another form aren't addresses")
    func names() {
        for text in ["localhost", "127.1", "0x7f000001", "2130706433", "1.2.3", "1.2.3.4.5", "", "::g"] {
            #expect(IPAddress(text) == nil, "\(text)")
        }
        #expect(IPAddress([1, 2, 3]) == nil)
    }

    @Test("Production connects to the internet by https, the sandbox to this computer also by http")
    func policies() throws {
        for (text, reach) in Self.table {
            let address = try #require(IPAddress(text))
            #expect(OutboundPolicy.production.allows(.https, to: address) == (reach == .global), "\(text)")
            #expect(!OutboundPolicy.production.allows(.http, to: address))
            #expect(OutboundPolicy.sandbox.allows(.https, to: address))
            #expect(OutboundPolicy.sandbox.allows(.http, to: address) == (reach == .loopback), "\(text)")
            #expect(OutboundPolicy.forwarding.allows(.http, to: address))
        }
    }

    @Test("One address of a name that isn't allowed refuses the name")
    func mixed() throws {
        let addresses = try ["8.8.8.8", "2606:4700::1", "10.0.0.1"].map { try #require(IPAddress($0)) }
        #expect(OutboundPolicy.production.choose(Array(addresses.prefix(2)), for: .https) == addresses[0])
        #expect(OutboundPolicy.production.choose(addresses, for: .https) == nil)
        #expect(OutboundPolicy.production.choose([], for: .https) == nil)
        #expect(OutboundPolicy.sandbox.choose(addresses, for: .https) == addresses[0])
    }
}
