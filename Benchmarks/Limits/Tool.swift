// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An external program.
struct Tool: Sendable {
    var path: String

    /// Runs the program and returns its output.
    ///
    /// - Throws: ``BenchmarkFailure`` with the output when the program fails.
    func run(_ arguments: [String]) async throws -> String {
        try await onThreads(1) { _ in
            Self.allowSignals()
            return try start(arguments)
        }[0]
    }

    /// Allows all signals on this thread.
    ///
    /// Some programs stop by SIGALRM, and Ctrl-C ends them by SIGINT. A child
    /// inherits the signals that its parent's thread blocks. The threads of
    /// Swift's tasks block all signals: the child would not end.
    static func allowSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
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
