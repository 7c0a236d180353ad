// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle

/// Makes a server for a port of this machine. The server calls
/// `onServerRunning` once it listens.
typealias ServerMaker = (_ port: Int, _ onServerRunning: @escaping @Sendable () async -> Void) throws -> any Service

/// Runs a server in this process while a closure runs.
func withServer<T: Sendable>(_ make: ServerMaker, _ body: (_ port: Int) async throws -> T) async throws -> T {
    let port = try LoopbackSocket.freePort()
    let (running, listens) = AsyncStream.makeStream(of: Void.self)
    let services = ServiceGroup(
        services: [try make(port) { listens.yield() }],
        logger: Logger(label: "benchmarks", factory: { _ in SwiftLogNoOpLogHandler() }))
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { listens.finish() }
            try await services.run()
        }
        var iterator = running.makeAsyncIterator()
        guard await iterator.next() != nil else {
            try await group.waitForAll()
            throw BenchmarkFailure("The server ended before it listened.")
        }
        let result = try await body(port)
        await services.triggerGracefulShutdown()
        try await group.waitForAll()
        return result
    }
}
