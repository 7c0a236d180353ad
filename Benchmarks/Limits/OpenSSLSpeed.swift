// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `openssl speed`, OpenSSL's own benchmark.
enum OpenSSLSpeed {
    /// Operations per second of wall-clock time on one thread.
    struct Rates {
        var signatures: Double
        var verifications: Double
    }

    /// An algorithm, by OpenSSL's name for it.
    enum Algorithm: String {
        /// RSA with a key of 2048 bits.
        case rsa2048
        /// ECDSA with P-256.
        case ecdsap256
    }

    static func rates(of algorithm: Algorithm) async throws -> Rates {
        try await onThreads(1) { _ in
            // `openssl speed` stops by SIGALRM, and Ctrl-C ends it by SIGINT.
            // A child inherits the signals that its parent's thread blocks.
            // The threads of Swift's tasks block all signals: the child would
            // not end.
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            return try run(algorithm)
        }[0]
    }

    private static func run(_ algorithm: Algorithm) throws -> Rates {
        let output = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "speed", "-elapsed", "-mr", "-seconds", "2", algorithm.rawValue]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // +F<kind>:<number>:<bits>:<signatures per second>:<verifications per second>
        let line = text.split(separator: "\n").first { $0.hasPrefix("+F") }
        let fields = (line ?? "").split(separator: ":")
        guard process.terminationStatus == 0, fields.count > 4, let signatures = Double(fields[3]),
            let verifications = Double(fields[4])
        else {
            throw BenchmarkFailure("openssl speed (is openssl installed?) ended with \(process.terminationStatus).")
        }
        return Rates(signatures: signatures, verifications: verifications)
    }
}
