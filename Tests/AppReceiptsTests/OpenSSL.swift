// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs OpenSSL's command, without which these tests fail.
func openssl(_ arguments: String...) throws -> (status: Int32, output: String) {
    try openssl(arguments)
}

/// Runs OpenSSL's command, without which these tests fail.
func openssl(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
