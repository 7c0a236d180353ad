// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A child process that shows a sheet.
///
/// It inherits neither locks nor pipes: all of the agent's files are opened
/// with `O_CLOEXEC`. Waiting for its end doesn't block a thread.
struct SheetProgram: Sendable {
    let words: [String]
    /// Whether its standard error is added to the error's message; otherwise
    /// it goes to the app's.
    var keepsComplaint = false

    /// Runs the program and waits for its end.
    ///
    /// - Throws: ``AgentError`` with the code `sheet` when the program can't
    ///   be started, and `sheetProgram` when its exit status isn't 0;
    ///   `CancellationError`.
    func run() async throws {
        let name = words.first ?? ""
        guard let executable = Self.find(name) else {
            throw AgentError(.sheet, "There is no program \(name).")
        }
        let process = Process()
        process.executableURL = executable
        process.arguments = Array(words.dropFirst())
        process.standardInput = FileHandle.nullDevice
        // The program must not write to the app's standard output.
        process.standardOutput = FileHandle.nullDevice
        // A file, because the reader of a pipe waits until all grandchildren
        // have ended.
        let complaint = keepsComplaint ? try Posix.unnamedFile() : nil
        if let complaint { process.standardError = complaint }
        let ended = Completion()
        process.terminationHandler = { _ in ended.decide(.success(())) }
        do {
            try process.run()
        } catch {
            throw AgentError(.sheet, "\(executable.path) can't be run (\(error.localizedDescription)).")
        }
        // A browser may outlive the app. On cancellation the wait ends, and
        // the browser stays open.
        try await ended.wait()
        let status = process.terminationStatus
        guard status == 0 else {
            var text = ""
            if let complaint {
                try? complaint.seek(toOffset: 0)
                text = String(decoding: (try? complaint.read(upToCount: 4096)) ?? Data(), as: UTF8.self)
            }
            throw AgentError(
                .sheetProgram, "It ended with status \(status). \(text.trimmingCharacters(in: .whitespacesAndNewlines))"
            )
        }
    }

    /// Finds the program's file: by `PATH`, unless the name contains a slash.
    private static func find(_ name: String) -> URL? {
        guard !name.isEmpty else { return nil }
        if name.contains("/") {
            return FileManager.default.isExecutableFile(atPath: name) ? URL(fileURLWithPath: name) : nil
        }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { URL(fileURLWithPath: "\($0)/\(name)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
