// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs the `openssl` command, without which these tests fail.
func openssl(_ arguments: String...) throws -> (status: Int32, output: String) {
    try run(["openssl"] + arguments)
}

/// Runs the `openssl` command, without which these tests fail.
func openssl(_ arguments: [String]) throws -> (status: Int32, output: String) {
    try run(["openssl"] + arguments)
}

/// Runs a command that is found in the path, until it ends.
func run(_ command: String...) throws -> (status: Int32, output: String) {
    try run(command)
}

private func run(_ command: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
