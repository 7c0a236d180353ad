// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The cost of one download, whose connection waits for the store's disk.
struct ContentOf1Row: Row {
    static let name = "content-1"
    static let summary =
        "downloads of a hosted file of 64 MB over one connection, against nginx with sendfile on the same file"

    static func compare() async throws -> Comparison { try await ContentLoad.compare(connections: 1, each: 16) }
}

/// The cost of downloads at the same time.
struct ContentOf64Row: Row {
    static let name = "content-64"
    static let summary =
        "downloads of a hosted file of 64 MB over 64 connections at the same time, against nginx with sendfile on the "
        + "same file"

    static func compare() async throws -> Comparison { try await ContentLoad.compare(connections: 64, each: 1) }
}

/// Downloads from the store and from nginx, by the same clients.
private enum ContentLoad {
    private static let megabytes = 64

    static func compare(connections: Int, each: Int) async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let package = try BenchmarkContent(in: folder)
            try package.add("large.bin", bytes: megabytes * 1_000_000)
            let store = try await BenchmarkContent.store(in: folder)
            let object = try await package.publish(in: store)
            return try await withServer(store.server) { port in
                let customer = try await Customer(0, of: store)
                let path = try await Customer.content(of: customer.buyContent(at: port), at: port)
                return try await Nginx.serving(BenchmarkContent.storage(in: folder), in: folder) { other in
                    try await Comparison(
                        side(path, port, connections, each),
                        against: side(Nginx.path(of: object), other, connections, each))
                }
            }
        }
    }

    private static func side(_ path: String, _ port: Int, _ connections: Int, _ each: Int) -> Side {
        Side("MB", operations: connections * each * megabytes) {
            try await onThreads(connections) { _ in
                let connection = try HTTPConnection(port: port)
                for _ in 0..<each { try connection.drop(try connection.begin(path)) }
            }
        }
    }
}
