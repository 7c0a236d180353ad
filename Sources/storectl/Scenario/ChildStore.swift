// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A store in memory that runs as long as a command: `serve --ephemeral` in a
/// process of its own.
struct ChildStore: Decodable, Sendable {
    var address: String
    var controlToken: String
    /// PEM.
    var rootCertificate: String

    /// Starts a store, runs `work` with it, and stops it.
    ///
    /// - Throws: ``CommandFailure`` when it doesn't start, the errors of `work`.
    static func using<Result>(_ work: (ChildStore) async throws -> Result) async throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["serve", "--ephemeral", "--json", "--listen", "127.0.0.1:0"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        let line = try await firstLine(of: output.fileHandleForReading)
        guard let store = try? JSONDecoder().decode(ChildStore.self, from: line) else {
            throw CommandFailure("The store for the scenarios hasn't started.")
        }
        return try await work(store)
    }

    /// Waits for a line, which a thread of its own reads.
    private static func firstLine(of handle: FileHandle) async throws -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var line = Data()
                while let byte = try? handle.read(upToCount: 1), byte != Data("\n".utf8), !byte.isEmpty {
                    line.append(byte)
                }
                continuation.resume(returning: line)
            }
        }
    }
}
