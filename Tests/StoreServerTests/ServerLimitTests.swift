// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreServer

/// Tests each limit of a server separately.
struct ServerLimitTests {
    private static let start = TestClock().now

    @Test("An address has a burst, then a rate, and a clock that is set back gives nothing")
    func rates() {
        let limiter = RateLimiter(burst: 3, perSecond: 0.5)
        for _ in 0..<3 { #expect(limiter.take("a", now: Self.start) == nil) }
        #expect(limiter.take("a", now: Self.start) == 2)
        #expect(limiter.take("b", now: Self.start) == nil)
        #expect(limiter.take("a", now: Self.start - .seconds(1000)) == 2)
        #expect(limiter.take("a", now: Self.start - .seconds(998)) == nil)
        #expect(limiter.wait("a", now: Self.start - .seconds(998)) == 2)
    }

    @Test("Ever new addresses don't grow the table of counts without end")
    func manyAddresses() {
        let limiter = RateLimiter(burst: 1, perSecond: 0.001)
        for number in 0..<(RateLimiter.capacity + 5000) { _ = limiter.take("\(number)", now: Self.start) }
        #expect(limiter.count <= RateLimiter.capacity)
    }

    @Test("Customers of one IPv6 network are one address, and IPv4 addresses are each their own")
    func addresses() throws {
        func key(_ text: String) throws -> String? {
            NetworkAddress(try SocketAddress(ipAddress: text, port: 1))?.key
        }
        #expect(try key("2001:db8:1:2::1") == key("2001:db8:1:2:ffff::9"))
        #expect(try key("2001:db8:1:2::1") != key("2001:db8:1:3::1"))
        #expect(try key("192.0.2.1") == "192.0.2.1")
        #expect(try key("::ffff:192.0.2.1") == "192.0.2.1")
        #expect(try key("::ffff:192.0.2.2") != key("::ffff:192.0.2.1"))
        #expect(NetworkAddress("2001:db8::1") != NetworkAddress("2001:db8::2"))
        #expect(NetworkAddress("unknown") == nil)
    }

    @Test("A client that sends requests without reading their answers is closed after sixteen")
    func pipelining() throws {
        let limits = ServerLimits()
        let table = ConnectionTable(limit: 2, reserve: 1)
        let channel = EmbeddedChannel(handler: ConnectionLimitHandler(limits, table))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")
        var isRead = 0
        for _ in 0..<(2 * limits.pipelinedRequests) {
            try channel.writeInbound(HTTPRequestPart.head(head))
            try channel.writeInbound(HTTPRequestPart.end(nil))
            while try channel.readInbound(as: HTTPRequestPart.self) != nil { isRead += 1 }
        }
        #expect(isRead == 2 * limits.pipelinedRequests)
        #expect(!channel.isActive)
        #expect(table.count == 0)
    }

    @Test("At the limit the connection that waits longest gives way, and a reserve answers health checks")
    func connections() throws {
        let table = ConnectionTable(limit: 2, reserve: 1)
        let channels = (0..<6).map { _ in EmbeddedChannel() }
        for channel in channels { try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait() }
        #expect(table.add(channels[0]) == .full)
        #expect(table.add(channels[1]) == .full)
        table.setWaiting(false, channels[0])
        #expect(table.add(channels[2]) == .full)
        #expect(channels[0].isActive && !channels[1].isActive)
        table.setWaiting(false, channels[2])
        #expect(table.add(channels[3]) == .healthOnly)
        #expect(table.add(channels[4]) == .refused)
        table.remove(channels[0])
        #expect(table.add(channels[5]) == .full)
        #expect(table.count == 3)
    }

    /// A connection in a table, whose request has begun a body.
    private static func connection(_ table: ConnectionTable) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionLimitHandler(ServerLimits(), table))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
        try channel.writeInbound(HTTPRequestPart.head(head))
        return channel
    }

    private static func send(_ channel: EmbeddedChannel) throws {
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
    }

    @Test("At the limit, a long body whose bytes arrive is newer than a connection that sends nothing")
    func flowing() throws {
        let table = ConnectionTable(limit: 3, reserve: 1)
        let (upload, other) = (try Self.connection(table), try Self.connection(table))
        upload.triggerUserOutboundEvent(LongBody.begins, promise: nil)
        let silent = try Self.connection(table)
        try Self.send(upload)
        // Bytes of any other body don't make its connection newer.
        try Self.send(other)
        _ = try Self.connection(table)
        #expect(upload.isActive && !other.isActive && silent.isActive)
        _ = try Self.connection(table)
        #expect(upload.isActive && !silent.isActive)
        #expect(table.count == 3)
    }

    @Test("A long body has two hours while its bytes arrive, and the time of any body after the end of its form")
    func longBodies() throws {
        let (limits, table) = (ServerLimits(), ConnectionTable(limit: 3, reserve: 1))
        let step = TimeAmount(limits.bodyDeadline) - .seconds(1)
        let upload = try Self.connection(table)
        upload.triggerUserOutboundEvent(LongBody.begins, promise: nil)
        for _ in 0..<4 {
            try Self.send(upload)
            upload.embeddedEventLoop.advanceTime(by: step)
        }
        #expect(upload.isActive)
        upload.triggerUserOutboundEvent(LongBody.ends, promise: nil)
        try Self.send(upload)
        upload.embeddedEventLoop.advanceTime(by: step)
        #expect(upload.isActive)
        try Self.send(upload)
        upload.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!upload.isActive && table.count == 0)

        let paused = try Self.connection(table)
        paused.triggerUserOutboundEvent(LongBody.begins, promise: nil)
        try Self.send(paused)
        paused.embeddedEventLoop.advanceTime(by: TimeAmount(limits.bodyDeadline) * 2 + .seconds(1))
        #expect(!paused.isActive)
    }

    @Test("The client's next action, through a request and its response")
    func phases() {
        var phase = ConnectionPhase()
        #expect(phase.expectation == .firstHead)
        phase.readHead()
        #expect(phase.expectation == .body)
        phase.readEnd()
        #expect(phase.expectation == .nothing)
        phase.wroteHead()
        phase.wroteEnd()
        #expect(phase.expectation == .nextHead)
        phase.readHead()
        phase.wroteHead()
        phase.wroteEnd()
        #expect(phase.expectation == .restOfRefusedBody)
        phase.readEnd()
        #expect(phase.expectation == .nextHead)
    }

    @Test(
        "The store is called by its own names, in any case and with any port",
        arguments: [
            ("localhost", true), ("LOCALHOST:8080", true), ("localhost.:1", true), ("127.0.0.1:8080", true),
            ("[::1]", true), ("[::1]:8080", true), ("store", true), ("store:1", true),
            ("rebind.attacker.example", false), ("localhost.attacker.example", false), ("10.0.0.1", false), ("", false),
            ("[::2]:80", false), ("localhost@evil.example", false),
        ])
    func hosts(authority: String, isAllowed: Bool) {
        let hosts = AllowedHosts(["127.0.0.1", "localhost", "[::1]", "Store"])
        #expect(hosts.allows(authority: authority) == isAllowed)
        #expect(!hosts.allows(authority: nil))
    }

    @Test("A store that listens everywhere is called by any address, but by no other name")
    func everywhere() {
        let hosts = AllowedHosts(["localhost"], allowsAddresses: true)
        #expect(hosts.allows(authority: "10.1.2.3:8080") && hosts.allows(authority: "[fe80::1]:80"))
        #expect(!hosts.allows(authority: "10.1.2.3.attacker.example"))
    }

    @Test("Every route but the health checks refuses a foreign name (finding 11)")
    func foreignNames() async throws {
        try await Engine.sqliteMemory.withStore { store in
            var configuration = ServerConfiguration(host: "localhost", port: 0)
            configuration.hosts = AllowedHosts(["store.example"])
            let application = Application(router: try buildRouter(store.service, configuration))
            // The test client sends its requests to `localhost`.
            try await application.test(.router) { client in
                for path in ["/sheet/x", "/pki/root.pem", "/nowhere"] {
                    let response = try await client.get(path)
                    #expect(response.status == .forbidden && response.code == "cross-site", "\(path)")
                }
                for path in ["/device/v1/register", "/device/v1/events", "/verifyReceipt"] {
                    let response = try await client.post(path, "{}")
                    #expect(response.code == "cross-site", "\(path)")
                }
                for path in ["/healthz", "/readyz"] {
                    let response = try await client.get(path)
                    #expect(response.status == .ok, "\(path)")
                }
            }
        }
    }

    @Test("A quotation mark with a combining mark stays inside of its attribute")
    func escaping() {
        let html = HTMLText()
        for mark in ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", ""] {
            let escaped = html.escapeText("\"\(mark)'\(mark)<\(mark)>\(mark)&\(mark)")
            #expect(escaped == "&quot;\(mark)&#39;\(mark)&lt;\(mark)&gt;\(mark)&amp;\(mark)")
        }
    }

    @Test("The page isolates and escapes texts of other people", arguments: Engine.servers)
    func page(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            try await store.sell(title: "\u{202E}eman\"\u{301}", as: "evil")
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("evil", request: "r").sheet)

            let page = try await client.post(
                "/sheet/\(sheet)", "email=%22%CC%81+formaction%3Dx&password=no&decision=buy")

            #expect(page.text.contains("<bdi>\u{202E}eman&quot;\u{301}</bdi>"))
            #expect(page.text.contains("value=\"&quot;\u{301} formaction=x\""))
        }
    }

    @Test("Only the first twenty languages of a browser count, and a message may name no more (finding 2)")
    func languages() async throws {
        try await Engine.sqliteMemory.withHTTP { store, client in
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
            let many = (0..<200_000).map { "x\($0 % 1000)" }
            let page = try await client.get(
                "/sheet/\(sheet)", headers: [.acceptLanguage: (many.prefix(20) + ["de"]).joined(separator: ",")])
            #expect(page.text.contains("Apple"))
            let german = try await client.get(
                "/sheet/\(sheet)", headers: [.acceptLanguage: (many.prefix(19) + ["de"]).joined(separator: ",")])
            #expect(german.text.contains("Apfel"))

            let call = ProductsCall(
                bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: ["apple"], languages: many)
            let response = try await client.post(
                "/device/v1/products", String(decoding: try StoreCoding.encode(call), as: UTF8.self),
                headers: device.headers)
            #expect(response.status == .contentTooLarge || response.code == "invalid")
        }
    }

    @Test("A device's fifth stream of an app ends the oldest", arguments: Engine.servers)
    func streams(engine: Engine) async throws {
        try await engine.withStore { store in
            let device = try await store.addDevice()
            let subscription = EventSubscription(
                credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil)
            let first = try await store.service.feed(subscription)
            _ = try await first.next()
            var others: [Any] = []
            for _ in 0..<4 { others.append(try await store.service.feed(subscription)) }
            #expect(try await first.next() == nil)
            store.service.hub.limitStreams(to: 4)
            func stranger(_ number: UInt8) async throws -> EventFeed {
                let device = try await store.addDevice(number)
                return try await store.service.feed(
                    EventSubscription(
                        credentials: device.credentials, bundleIdentifier: TestStore.bundleIdentifier, position: nil))
            }
            // Each new device gets the place of the first device's oldest
            // stream, until each device has one.
            for number in UInt8(2)...4 { others.append(try await stranger(number)) }
            let refusal = await #expect(throws: StoreFailure.self) { try await stranger(5) }
            #expect(refusal?.code == .unavailable && refusal?.retryAfter != nil)
            _ = others.count
        }
    }

    @Test("A revocation list is signed once, until something is revoked")
    func revocationLists() async throws {
        var generator = SeededGenerator(seed: 3)
        let authority = try SigningAuthority.create(using: &generator)
        let lists = RememberedRevocationLists()
        let first = try lists.list(of: "root", of: authority, now: Self.start)
        #expect(try lists.list(of: "root", of: authority, now: Self.start + .seconds(30)) == first)
        #expect(try lists.list(of: "root", of: authority, now: Self.start + .seconds(61)) != first)
        #expect(try lists.list(of: "nothing", of: authority, now: Self.start) == nil)
        let leaf = try authority.leafSerialNumbers(of: .sandbox).receipts
        try authority.revoke(leaf, now: Self.start.date)
        let revoked = try lists.list(of: "intermediate", of: authority, now: Self.start)
        #expect(revoked != nil)
    }
}
