// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program of somebody else's.
struct Tool: Sendable {
    var path: String

    /// Runs it and returns what it printed.
    ///
    /// - Throws: ``BenchmarkFailure`` when it fails, with what it said.
    func run(_ arguments: [String]) async throws -> String {
        try await onThreads(1) { _ in
            // Some stop by SIGALRM, and Ctrl-C ends them by SIGINT. A child
            // inherits what its parent's thread blocks, and the threads of
            // Swift's tasks block every signal: it would never end.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            return try start(arguments)
        }[0]
    }

    private func start(_ arguments: [String]) throws -> String {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [path] + arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFailure("\(path) (is it installed?) ended with \(process.terminationStatus): \(text)")
        }
        return text
    }
}
