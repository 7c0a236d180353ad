// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Scripts that the code under test runs as programs.
package enum TestProgram {
    /// Writes a program of some lines of the shell.
    ///
    /// Another process writes the file. A child process that another test
    /// starts has the open files of this one until it runs its own program, and
    /// a file that is open for writing can't be run (ETXTBSY).
    package static func write(_ lines: String, to path: String) throws {
        let text = path + ".text"
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: URL(fileURLWithPath: text))
        let copying = Process()
        copying.executableURL = URL(fileURLWithPath: "/usr/bin/install")
        copying.arguments = ["-m", "755", text, path]
        try copying.run()
        copying.waitUntilExit()
        guard copying.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
