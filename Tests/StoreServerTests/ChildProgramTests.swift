// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreService

/// The program that sends messages, as the store runs it.
struct ChildProgramTests {
    /// Runs a test with a program of some lines of the shell, in a folder.
    private func withProgram(
        _ lines: String, deadline: Duration = .beyondTests, _ body: (ChildProgram, TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("program")
        try TestProgram.write("cd '\(folder.url.path)'\n\(lines)", to: path)
        try await body(ChildProgram(path: path, deadline: deadline), folder)
    }

    private func read(_ name: String, _ folder: TemporaryFolder) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path(name))), as: UTF8.self)
    }

    @Test("A program gets the arguments as they are and the text, and its output is discarded")
    func passes() async throws {
        try await withProgram("printf '%s\\n' \"$@\" > arguments; cat > text; yes | head -c 1000000") {
            program, folder in
            let arguments = ["-i", "--", "$(touch made)@b.c; rm *"]
            try await program.run(arguments, input: Data("Ä\n.\nend".utf8))
            #expect(try read("arguments", folder) == arguments.joined(separator: "\n") + "\n")
            #expect(try read("text", folder) == "Ä\n.\nend")
            #expect(!FileManager.default.fileExists(atPath: folder.path("made")))
        }
    }

    @Test("The output of a program is read up to the size of a pipe; one that prints more is killed at its deadline")
    func output() async throws {
        try await withProgram("cat") { program, _ in
            let output = try await program.output(of: [], input: Data("Ä\n".utf8))
            #expect(output == Data("Ä\n".utf8))
        }
        for (bytes, isRead) in [(ChildProgram.longestOutput, true), (ChildProgram.longestOutput + 1, false)] {
            let deadline: Duration = isRead ? .beyondTests : .seconds(1)
            try await withProgram("yes | head -c \(bytes)", deadline: deadline) { program, _ in
                let output = try? await program.output(of: [], input: Data())
                #expect(output?.count == (isRead ? bytes : nil))
            }
        }
    }

    @Test("A program that fails, reads nothing, or doesn't exist fails without ending the store")
    func fails() async throws {
        let full = Data(repeating: 65, count: ChildProgram.longestInput)
        try await withProgram("exit 75") { program, _ in
            let failure = await #expect(throws: ChildProgram.Failure.self) { try await program.run([], input: full) }
            #expect(failure?.description.contains("75") == true)
        }
        try await withProgram("exit 0") { program, _ in try await program.run([], input: full) }
        await #expect(throws: ChildProgram.Failure.self) {
            try await ChildProgram(path: "/no/such/program").run([], input: full)
        }
        await #expect(throws: ChildProgram.Failure.self) {
            try await ChildProgram(path: "/bin/cat").run([], input: full + full)
        }
    }

    @Test("A program that doesn't end is killed at its deadline, with the processes that it has started")
    func deadline() async throws {
        // A busy machine may need longer to start the processes.
        var (deadline, hasStarted) = (Duration.seconds(1), false)
        while !hasStarted {
            try await withProgram("sleep 20000 & echo $! > child; wait", deadline: deadline) { program, folder in
                await #expect(throws: ChildProgram.Failure.self) { try await program.run([], input: Data()) }
                let text = (try? read("child", folder)) ?? ""
                guard let child = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { return }
                hasStarted = true
                try await until { !Self.isRunning(child) }
            }
            deadline *= 2
        }
    }

    @Test("A program ends when its task is cancelled")
    func cancelled() async throws {
        try await withProgram("echo > begun; exec sleep 20000") { program, folder in
            let running = Task { try await program.run([], input: Data()) }
            try await until { FileManager.default.fileExists(atPath: folder.path("begun")) }
            running.cancel()
            await #expect(throws: ChildProgram.Failure.self) { try await running.value }
        }
    }

    @Test("A program whose task was cancelled before, or while it starts, ends")
    func cancelledEarly() async throws {
        try await withProgram("exec sleep 20000") { program, _ in
            for _ in 0..<20 {
                let running = Task { try await program.run([], input: Data()) }
                running.cancel()
                await #expect(throws: ChildProgram.Failure.self) { try await running.value }
            }
        }
    }

    /// Whether a process runs; one that has ended and that no process has
    /// waited for doesn't.
    private static func isRunning(_ process: pid_t) -> Bool {
        guard let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return !state.contains(") Z")
    }
}
