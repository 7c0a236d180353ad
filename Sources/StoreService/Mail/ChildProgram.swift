// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Runs a program of the operator, or of the system, with a short text on its
/// standard input.
///
/// It is the only place at which the store starts a process. No shell is
/// involved: an argument is passed as it is. The program gets no environment
/// but the path of programs.
struct ChildProgram: Sendable {
    /// The absolute path of the program.
    var path: String
    /// The time after which the program is killed.
    var deadline: Duration = .seconds(30)

    /// The most bytes of the text. A pipe takes as many before the program
    /// reads, so that a program that doesn't read can't block the store
    /// (pipe(7)).
    static let longestInput = 4096

    /// The most bytes of an output, which a pipe takes before the store reads.
    static let longestOutput = 65_536

    /// Why a program didn't succeed.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs the program without its output, and waits for its end. It is killed
    /// at its deadline, and when the task is cancelled.
    ///
    /// - Throws: ``Failure`` when the program can't be started, ends with
    ///   another status than 0, or is killed.
    func run(_ arguments: [String], input: Data) async throws {
        try await run(arguments, input: input, output: FileHandle.nullDevice)
    }

    /// Runs the program, and returns its output. A program that prints more
    /// than ``longestOutput`` waits for a reader, until it is killed at its
    /// deadline.
    ///
    /// - Throws: As ``run(_:input:)``.
    func output(of arguments: [String], input: Data) async throws -> Data {
        let pipe = Pipe()
        try await run(arguments, input: input, output: pipe)
        // A process that the program has started may still have the pipe.
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return Data(
            [UInt8](unsafeUninitializedCapacity: Self.longestOutput) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            })
    }

    private func run(_ arguments: [String], input: Data, output: Any) async throws {
        guard input.count <= Self.longestInput else {
            throw Failure(description: "The input of \(path) has more than \(Self.longestInput) bytes.")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        // The text is in the pipe before the program runs: the write can't meet
        // a closed pipe.
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: input)
        try pipe.fileHandleForWriting.close()
        process.standardInput = pipe
        let status = try await end(of: process)
        guard status == 0 else {
            throw Failure(description: "\(path) has ended with the status \(status).")
        }
    }

    private func end(of process: Process) async throws -> Int32 {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { ended in continuation.resume(returning: ended.terminationStatus) }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    continuation.resume(throwing: Failure(description: "\(path) can't be started: \(error)"))
                    return
                }
                // A task that was cancelled while the program started found no process to kill.
                if Task.isCancelled { Self.kill(process) }
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(deadline / .milliseconds(1)))) {
                    Self.kill(process)
                }
            }
        } onCancel: {
            Self.kill(process)
        }
    }

    /// Kills the program and its children, which are in its process group.
    private static func kill(_ process: Process) {
        guard process.isRunning else { return }
        let number = process.processIdentifier
        if Foundation.kill(-number, SIGKILL) != 0 { _ = Foundation.kill(number, SIGKILL) }
    }
}
