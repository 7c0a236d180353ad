// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The cost of the store in a download that it redirects.
struct ContentRedirectedRow: Row {
    static let name = "content-redirected"
    static let summary =
        "downloads of a hosted file of 64 MB over one connection, for each of which the store is asked and redirects to "
        + "nginx, against nginx alone"

    private static let megabytes = 64
    private static let downloads = 16

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let package = try BenchmarkContent(in: folder)
            try package.add("large.bin", bytes: megabytes * 1_000_000)
            return try await Nginx.serving(BenchmarkContent.storage(in: folder), in: folder) { other in
                let store = try await BenchmarkContent.store(in: folder, redirectingTo: other)
                let object = try await package.publish(in: store)
                return try await withServer(store.server) { port in
                    let customer = try await Customer(0, of: store)
                    let path = try await Customer.content(of: customer.buyContent(at: port), at: port)
                    return try await Comparison(
                        redirected(path, port, to: other), against: direct(Nginx.path(of: object), other))
                }
            }
        }
    }

    /// One connection to each server, as a device keeps them.
    private static func redirected(_ path: String, _ port: Int, to other: Int) -> Side {
        Side("MB", operations: downloads * megabytes) {
            try await onThreads(1) { _ in
                let store = try HTTPConnection(port: port)
                let nginx = try HTTPConnection(port: other)
                for _ in 0..<downloads {
                    let address = try store.redirection(of: path)
                    guard let url = URL(string: address), url.port == other else {
                        throw BenchmarkFailure("The store redirects to \(address).")
                    }
                    try nginx.drop(try nginx.begin(url.path))
                }
            }
        }
    }

    private static func direct(_ path: String, _ port: Int) -> Side {
        Side("MB", operations: downloads * megabytes) {
            try await onThreads(1) { _ in
                let connection = try HTTPConnection(port: port)
                for _ in 0..<downloads { try connection.drop(try connection.begin(path)) }
            }
        }
    }
}
