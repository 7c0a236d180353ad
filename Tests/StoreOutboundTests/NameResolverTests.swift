// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import StoreDomain
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreOutbound

/// Names of sellers' servers: resolved once, checked, and connected to the
/// checked address.
@Suite(.timeLimit(.hang))
struct NameResolverTests {
    /// Answers each look-up with the next list, and then with the last one.
    private final class Script: NameResolver {
        private let lists: Mutex<[[String]]>
        private let asked = Mutex<[String]>([])
        var hosts: [String] { asked.withLock(\.self) }

        init(_ lists: [[String]]) {
            self.lists = Mutex(lists)
        }

        func addresses(of host: String, for team: String, until deadline: NIODeadline) async throws -> [IPAddress] {
            asked.withLock { $0.append(host) }
            return lists.withLock { lists in lists.count > 1 ? lists.removeFirst() : lists[0] }.compactMap {
                IPAddress($0)
            }
        }
    }

    @Test("A request goes to the resolved address with the name as host, without another look-up")
    func pinned() async throws {
        let server = try StubServer { _ in StubServer.answer("200 OK") }
        let resolver = Script([["127.0.0.1"]])
        let client = OutboundClient(.sandbox, resolver: resolver, timeLimit: .beyondTests)
        // The system's resolver doesn't know the name.
        let url = "http://seller.invalid:\(server.port)/notify"
        for _ in 0..<2 { #expect(try await client.send("{}", to: url) == .success) }
        #expect(resolver.hosts == ["seller.invalid", "seller.invalid"])
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.lowercased().contains("host: seller.invalid:\(server.port)") })
    }

    @Test("A name that moves to an address that isn't allowed is refused", arguments: ["10.0.0.1", "8.8.8.8"])
    func rebound(other: String) async throws {
        let server = try StubServer { _ in StubServer.answer("200 OK") }
        let client = OutboundClient(
            .sandbox, resolver: Script([["127.0.0.1"], [other], ["127.0.0.1", other], []]), timeLimit: .beyondTests)
        let url = "http://seller.invalid:\(server.port)/notify"
        #expect(try await client.send("{}", to: url) == .success)
        for _ in 0..<3 { #expect(try await client.send("{}", to: url) == .other) }
        #expect(server.requests.count == 1)
    }

    @Test("Production refuses this computer and private networks under any name")
    func production() async throws {
        let server = try StubServer { _ in StubServer.answer("200 OK") }
        let resolver = Script([["127.0.0.1"]])
        let client = OutboundClient(.production, resolver: resolver, timeLimit: .beyondTests)
        for host in [
            "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "seller.invalid", "127.1", "2130706433", "LOCALHOST",
            "10.0.0.1",
            "%31%32%37.0.0.1",
        ] {
            for scheme in ["http", "https"] {
                #expect(try await client.send("{}", to: "\(scheme)://\(host):\(server.port)/") == .other, "\(host)")
            }
        }
        for url in ["ftp://127.0.0.1/", "unix:///tmp/x", "no url", ""] {
            #expect(try await client.send("{}", to: url) == .other, "\(url)")
        }
        #expect(server.requests.isEmpty)
        #expect(resolver.hosts.contains("seller.invalid") && resolver.hosts.contains("127.1"))
    }

    @Test("A program of the user forwards to any address, and resolves nothing itself")
    func forwarding() async throws {
        let server = try StubServer { _ in StubServer.answer("200 OK") }
        let resolver = Script([[]])
        let client = OutboundClient(.forwarding, resolver: resolver, timeLimit: .beyondTests)
        #expect(try await client.send("{}", to: server.address.absoluteString) == .success)
        #expect(resolver.hosts.isEmpty)
    }

    @Test("The system resolves this computer's name, and no name without an address")
    func system() async throws {
        let resolver = SystemResolver()
        let deadline = NIODeadline.now() + TimeAmount(.beyondTests)
        let addresses = try await resolver.addresses(of: "localhost", until: deadline)
        #expect(!addresses.isEmpty && addresses.allSatisfy { $0.reach == .loopback })
        #expect(
            try await resolver.addresses(of: "127.1", until: deadline) == [IPAddress("127.0.0.1")].compactMap(\.self))
        await #expect(throws: (any Error).self) {
            _ = try await resolver.addresses(of: "not a name", until: deadline)
        }
    }

    @Test("Look-ups of one name at a time share one, and a slow name holds up no other")
    func shared() async throws {
        let gate = DispatchSemaphore(value: 0)
        let count = Mutex(0)
        let resolver = SystemResolver { host in
            if host == "slow.example" {
                count.withLock { $0 += 1 }
                gate.wait()
                gate.signal()
            }
            return [IPAddress("127.0.0.1")].compactMap(\.self)
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await resolver.addresses(of: "slow.example", until: .now() + TimeAmount(.beyondTests)).count
                }
            }
            let fast = try await resolver.addresses(of: "fast.example", until: .now() + TimeAmount(.beyondTests))
            #expect(fast.count == 1)
            await #expect(throws: (any Error).self) {
                _ = try await resolver.addresses(of: "slow.example", until: .now() + .milliseconds(50))
            }
            while resolver.callers(of: "slow.example") < 8 { try await letOthersRun() }
            #expect(count.withLock(\.self) == 1)
            gate.signal()
            for try await found in group { #expect(found == 1) }
        }
    }

    @Test("Look-ups have a number of threads: a name beyond it waits until one is free, or until its deadline")
    func threads() async throws {
        let teams = SystemResolver.threads / SystemResolver.threadsOfATeam
        let gate = DispatchSemaphore(value: 0)
        let running = Mutex(0)
        let most = Mutex(0)
        let resolver = SystemResolver { host in
            let now = running.withLock {
                $0 += 1; return $0
            }
            most.withLock { $0 = max($0, now) }
            if host.hasPrefix("silent") { gate.wait() }
            running.withLock { $0 -= 1 }
            return [IPAddress("127.0.0.1")].compactMap(\.self)
        }
        let count = SystemResolver.threads
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count + 20 {
                group.addTask {
                    try await resolver.addresses(
                        of: "silent\(number).example", for: "team \(number % teams)",
                        until: .now() + TimeAmount(.beyondTests)
                    ).count
                }
            }
            while running.withLock(\.self) < count { try await letOthersRun() }
            await #expect(throws: (any Error).self) {
                _ = try await resolver.addresses(of: "honest.example", until: .now() + .milliseconds(50))
            }
            #expect(most.withLock(\.self) == count)
            for _ in 0..<count + 20 { gate.signal() }
            for try await found in group { #expect(found == 1) }
        }
        let later = try await resolver.addresses(of: "honest.example", until: .now() + TimeAmount(.beyondTests))
        #expect(later.count == 1 && most.withLock(\.self) == count)
    }

    @Test(
        "A team whose names are silent leaves another team its look-ups, and a name without a caller isn't looked up"
    )
    func shares() async throws {
        let gate = Gate()
        let asked = Mutex<[String]>([])
        let resolver = SystemResolver { host in
            asked.withLock { $0.append(host) }
            if host.hasPrefix("silent") { gate.hold() }
            return [IPAddress("127.0.0.1")].compactMap(\.self)
        }
        let count = SystemResolver.threadsOfATeam
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await resolver.addresses(
                        of: "silent\(number).example", for: "a", until: .now() + TimeAmount(.beyondTests)
                    ).count
                }
            }
            while gate.arrivals < count { try await letOthersRun() }
            let other = try await resolver.addresses(
                of: "fast.example", for: "b", until: .now() + TimeAmount(.beyondTests))
            #expect(other.count == 1)
            await #expect(throws: (any Error).self) {
                _ = try await resolver.addresses(of: "late.example", for: "a", until: .now() + .milliseconds(50))
            }
            #expect(resolver.callers(of: "late.example") == 0)
            gate.open()
            for try await found in group { #expect(found == 1) }
        }
        _ = try await resolver.addresses(of: "last.example", for: "a", until: .now() + TimeAmount(.beyondTests))
        #expect(!asked.withLock { $0.contains("late.example") })
    }

    @Test("Names beyond the limit replace the oldest, whose requests end")
    func limit() async throws {
        let server = try StubServer { _ in StubServer.answer("200 OK") }
        let client = OutboundClient(.sandbox, resolver: Script([["127.0.0.1"]]), timeLimit: .beyondTests)
        for number in 0..<120 {
            #expect(try await client.send("{}", to: "http://seller\(number).invalid:\(server.port)/") == .success)
        }
        #expect(server.requests.count == 120)
    }
}
