// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

@testable import StoreServer

/// The connections of event streams. No process here sends heartbeats.
@Suite(.timeLimit(.hang))
struct EventConnectionTests {
    /// A server with the connection limits of the store.
    private struct Server: Sendable {
        var store: TestStore
        var phone: TestDevice
        var table: ConnectionTable
        var port: Int

        /// Whether only the connection of the test framework is open, which
        /// sends nothing.
        var isLeft: Bool { table.count == 1 }

        func open() async throws -> EventConnection {
            let connection = try await EventConnection.open(for: phone, at: port)
            try await until { connection.text.contains("event: snapshot") }
            return connection
        }
    }

    private func withServer(_ body: @Sendable @escaping (Server) async throws -> Void) async throws {
        try await Engine.sqliteMemory.withStore { store in
            let phone = try await store.addDevice()
            var limits = ServerLimits()
            // Between two steps a client waits for the turns of all other tests.
            limits.headDeadline = .beyondTests
            limits.bodyDeadline = .beyondTests
            limits.idleDeadline = .beyondTests
            limits.writeDeadline = .beyondTests
            let table = ConnectionTable(limit: limits.connections, reserve: limits.reservedConnections)
            let application = Application(
                router: try buildRouter(store.service), server: .limited(limits, table),
                configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
            try await application.test(.live) { client in
                try await until { table.count == 1 }
                try await body(
                    Server(store: store, phone: phone, table: table, port: try #require(client.port)))
            }
        }
    }

    @Test(
        "A client that closes its connection, or loses it, frees the place of its stream",
        arguments: [EventConnection.End.close, .reset])
    func left(end: EventConnection.End) async throws {
        try await withServer { server in
            for _ in 0..<5 {
                let connection = try await server.open()
                #expect(server.store.service.openStreams == 1)
                try await connection.end(end)
                try await until { server.store.service.openStreams == 0 && server.isLeft }
            }
        }
    }

    @Test("A client that closes its side only gets the end of the response")
    func halfClosed() async throws {
        try await withServer { server in
            let connection = try await server.open()
            try await connection.end(.halfClose)
            try await connection.closed()
            #expect(connection.text.hasSuffix("\r\n0\r\n\r\n"), "\(connection.text)")
            try await until { server.store.service.openStreams == 0 && server.isLeft }
        }
    }

    @Test("A stream goes on while others of its device end, and has each event")
    func others() async throws {
        try await withServer { server in
            let anna = try await server.store.addAccount()
            _ = try await server.phone.buy("apple", request: "1", as: anna)
            let stays = try await server.open()
            for _ in 0..<3 {
                let leaves = try await server.open()
                try await leaves.end(.reset)
                try await until { server.store.service.openStreams == 1 }
            }
            let bought = try await server.phone.buy("pear", request: "2", as: anna)
            try await until { stays.text.contains(bought.transactionIdentifier) }
            try await stays.end(.close)
        }
    }

    @Test("A connection answers the request behind a stream that the store has ended")
    func nextRequest() async throws {
        try await withServer { server in
            let connection = try await server.open()
            try await connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            server.store.service.hub.close()
            try await until { connection.text.components(separatedBy: "HTTP/1.1 200 OK").count == 3 }
            try await connection.end(.close)
            try await until { server.isLeft }
        }
    }

    @Test("A client that has left before its stream begins holds no place")
    func leftBefore() async throws {
        try await withServer { server in
            let end = try await server.open()
            try await end.end(.close)
            for _ in 0..<5 {
                let connection = try await EventConnection.open(for: server.phone, at: server.port)
                try await connection.end(.close)
            }
            // The server accepts this one after the others.
            let last = try await server.open()
            try await last.end(.close)
            try await until { server.store.service.openStreams == 0 && server.isLeft }
        }
    }
}
