// SPDX-License-Identifier: Apache-2.0

import Foundation

/// storeagentd as a process, for the home of a device.
struct DaemonProcess {
    /// Runs the daemon while a closure runs.
    ///
    /// - Throws: ``BenchmarkFailure`` when the daemon doesn't start, and the
    ///   closure's error.
    static func serving<T>(_ home: URL, _ body: (_ process: Int32) async throws -> T) async throws -> T {
        let process = Process()
        // Beside the benchmarks: both are built for the release.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "storeagentd")
        process.arguments = ["--home", home.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        // The daemon prints a line when apps can connect.
        let printed = try await onThreads(1) { _ in output.fileHandleForReading.availableData }[0]
        guard String(decoding: printed, as: UTF8.self).contains("serves") else {
            throw BenchmarkFailure("storeagentd didn't start.")
        }
        return try await body(process.processIdentifier)
    }
}
