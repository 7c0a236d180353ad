// SPDX-License-Identifier: Apache-2.0

/// Starts a server at a port that it listens at once `onServerRunning` is called.
typealias Serve = @Sendable (_ port: Int, _ onServerRunning: @escaping @Sendable () async -> Void) async throws -> Void

/// Runs a server in this process while a closure runs.
func withServer<T: Sendable>(_ serve: @escaping Serve, _ body: (_ port: Int) async throws -> T) async throws -> T {
    let port = try LoopbackSocket.freePort()
    let (running, listens) = AsyncStream.makeStream(of: Void.self)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { listens.finish() }
            try await serve(port) { listens.yield() }
        }
        var iterator = running.makeAsyncIterator()
        guard await iterator.next() != nil else {
            try await group.waitForAll()
            throw BenchmarkFailure("The server ended before it listened.")
        }
        defer { group.cancelAll() }
        return try await body(port)
    }
}
