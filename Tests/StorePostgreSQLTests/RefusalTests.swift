// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase
import StorePostgreSQL
import StoreTestSupport
import Testing

@Suite("The error messages when the database can't be opened", .enabled(if: TestCluster.url != nil, "no PostgreSQL"))
struct RefusalTests {
    @Test("A missing server is unreachable, and the error hides the password") func noServer() async throws {
        let error = try await databaseError { try open("postgres://ann:sesame@%2Fnowhere/fruit") }

        #expect(error.code == .unreachable)
        #expect(error.message.contains("Start the server") && error.message.contains("postgres://ann@/nowhere/fruit"))
        #expect(!"\(error)".contains("sesame"))
    }

    @Test("A wrong password is named as the cause, and isn't repeated") func aWrongPassword() async throws {
        try await withRole { role, url in
            let error = try await databaseError { try open(url.replacing("store@", with: "\(role):sesame@")) }

            #expect(error.code == .unreachable)
            #expect(error.message.contains("refuses the password") && error.message.contains(role))
            #expect(!String(reflecting: error).contains("sesame"))
        }
    }

    @Test("A missing password is named as the cause") func noPassword() async throws {
        try await withRole { role, url in
            let error = try await databaseError { try open(url.replacing("store@", with: "\(role)@")) }

            #expect(error.code == .unreachable && error.message.contains("wants a password"))
        }
    }

    @Test("The error about a missing database names createdb") func noSuchDatabase() async throws {
        let url = try #require(TestCluster.url)
        let error = try await databaseError { try open("\(url)_of_nobody") }

        #expect(error.code == .unreachable && error.message.contains("createdb"))
    }

    @Test("The error about a missing permission to connect names GRANT CONNECT")
    func noPermissionToConnect() async throws {
        try await withRole { role, url in
            let name = try #require(url.split(separator: "/").last)
            try TestCluster.execute("REVOKE CONNECT ON DATABASE \(name) FROM PUBLIC")
            let error = try await databaseError { try open(url.replacing("store@", with: "\(role):orchard@")) }

            #expect(error.code == .unreachable && error.message.contains("GRANT CONNECT"))
            #expect(!error.message.contains("orchard"))
        }
    }

    @Test("The error about a missing permission to create tables names CREATE ON SCHEMA public")
    func noPermissionToMakeTables() async throws {
        try await withRole { role, url in
            try TestCluster.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC", at: url)
            let error = try await databaseError { try open(url.replacing("store@", with: "\(role):orchard@")) }

            #expect(error.code == .readOnly && error.message.contains("CREATE ON SCHEMA public"))
        }
    }

    @Test("A read-only database is refused, and the error suggests several hosts")
    func aDatabaseThatCantBeWritten() async throws {
        try await withFruit { _, url in
            let name = try #require(url.split(separator: "/").last)
            try TestCluster.execute("ALTER DATABASE \(name) SET default_transaction_read_only = on")
            let error = try await databaseError { try open(url) }

            #expect(error.code == .readOnly && error.message.contains("separated by commas"))
        }
    }

    @Test("A database in another encoding is refused with the encoding's name") func anotherEncoding() async throws {
        let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        try TestCluster.execute("CREATE DATABASE \(name) ENCODING 'SQL_ASCII' TEMPLATE template0")
        let url = try TestCluster.url(of: name)
        defer { try? TestCluster.removeDatabase(url) }
        let error = try await databaseError { try open(url) }

        #expect(
            error.code == .other && error.message.contains("SQL_ASCII") && error.message.contains("--encoding UTF8"))
    }

    @Test("A server before PostgreSQL 13 is refused with its version") func anOldServer() async throws {
        try await withFruit { _, url in
            let folder = try TemporaryFolder()
            let proxy = try Proxy(folder: folder.path(""), to: url)
            try proxy.start()
            defer { proxy.stop() }
            let major = try TestCluster.number("SELECT current_setting('server_version_num')::int / 10000")
            proxy.tell(version: "12", insteadOf: "\(major)")

            let error = try await databaseError { try open(proxy.url(for: url)) }

            #expect(error.code == .other && error.message.contains("is PostgreSQL 12; 13 is the oldest"))
        }
    }

    @Test("A server that isn't PostgreSQL is refused as notADatabase") func somethingElseThatListens() async throws {
        let folder = try TemporaryFolder()
        let server = try Greeter(path: folder.path(".s.PGSQL.5432"), greeting: "220 ready\r\n")
        defer { server.stop() }
        let host = folder.path("").dropLast().replacing("/", with: "%2F")
        let error = try await databaseError { try open("postgres://ann@\(host)/fruit") }

        #expect(error.code == .notADatabase && error.message.contains("isn't a PostgreSQL server"))
    }

    @Test(
        "The error about an unreadable URL shows the right form and hides the password",
        arguments: [
            "sqlite:store.sqlite", "postgres:/ann@host/fruit", "postgres://ann:se/same@host/fruit",
            "postgres://ann:se@same@host/fruit", "postgres://ann:1/same@host/fruit",
            "postgres://ann:s%sesame@host/fruit",
            "postgres://ann:sesame@host/fruit?pasword=sesame", "postgres://ann:sesame@host:port/fruit",
            "postgresql://ann:se:same@host:12same/fruit",
        ])
    func aURLThatCantBeReadIsntRepeated(url: String) async throws {
        let error = try await databaseError { try open(url) }

        #expect(error.code == .other && error.message.contains("postgres://user:password@host:5432/name"))
        #expect(!error.message.contains("same"))
    }

    @Test("The first host that takes writes is found")
    func severalHosts() async throws {
        try await withFruit { _, url in
            let hosts = url.replacing("store@", with: "store@%2Fnowhere,")
            let database = try open(hosts)
            #expect(try await database.read { try $0.fruit() } == [])
            try database.close()
        }
    }

    private func withRole(_ body: (_ role: String, _ url: String) async throws -> Void) async throws {
        let url = try TestCluster.makeDatabase()
        let role = "role_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        try TestCluster.execute("CREATE ROLE \(role) LOGIN PASSWORD 'orchard'")
        defer {
            try? TestCluster.removeDatabase(url)
            try? TestCluster.execute("DROP ROLE \(role)")
        }
        try await body(role, url)
    }
}
