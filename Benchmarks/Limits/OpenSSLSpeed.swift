// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `openssl speed`, OpenSSL's own benchmark.
enum OpenSSLSpeed {
    /// How many RSA signatures with a key of 2048 bits it makes in a second of
    /// wall-clock time on one thread.
    static func signaturesPerSecond() async throws -> Double {
        try await onThreads(1) { _ in
            // It stops by SIGALRM, and Ctrl-C ends it by SIGINT. A child
            // inherits what its parent's thread blocks, and the threads of
            // Swift's tasks block every signal: it would never end.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            return try run()
        }[0]
    }

    private static func run() throws -> Double {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "speed", "-elapsed", "-mr", "-seconds", "2", "rsa2048"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // +F2:<number>:<bits>:<signatures per second>:<verifications per second>
        let line = text.split(separator: "\n").first { $0.hasPrefix("+F2:") }
        let fields = (line ?? "").split(separator: ":")
        guard process.terminationStatus == 0, fields.count > 4, fields[2] == "2048", let rate = Double(fields[3])
        else {
            throw BenchmarkFailure("openssl speed (is openssl installed?) ended with \(process.terminationStatus).")
        }
        return rate
    }
}
