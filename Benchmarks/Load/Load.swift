// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Requests that clients send at the same time, each over its connection.
struct Load: Sendable {
    var connections = 32
    var path: String
    var headers: [String: String] = [:]
    /// The body of a POST; `nil` for a GET.
    var body: Data?

    /// The answer to the request.
    func answer(at port: Int) async throws -> Data {
        try await onThreads(1) { _ in
            try send(over: HTTPConnection(port: port)).body
        }[0]
    }

    private func send(over connection: HTTPConnection) throws -> HTTPResponse {
        guard let body else { return try connection.get(path, headers: headers) }
        return try connection.post(path, headers: headers, body: body)
    }

    /// A number of requests on each connection, whose answers all have a
    /// length.
    func side(_ unit: String, each: Int, at port: Int, length: Int) -> Side {
        Side(unit, operations: connections * each) {
            try await onThreads(connections) { _ in
                let connection = try HTTPConnection(port: port)
                for _ in 0..<each {
                    // The dates in an answer change, its length doesn't.
                    guard try send(over: connection).body.count == length else {
                        throw BenchmarkFailure("An answer of \(path) has another length than the first one.")
                    }
                }
            }
        }
    }

    /// Compares the requests with the same ones to a server that has a static
    /// answer of the same size.
    func compare(_ unit: String, each: Int, staticEach: Int = 1000, in store: BenchmarkStore, at port: Int)
        async throws -> Comparison
    {
        let answer = try await answer(at: port)
        return try await withServer(StaticServer(answer: answer).server) { staticPort in
            var other = self
            other.path = StaticServer.path
            return try await Comparison(
                side(unit, each: each, at: port, length: answer.count).spending(in: store),
                against: other.side("answers", each: staticEach, at: staticPort, length: answer.count))
        }
    }
}
