// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The program of the tar file and of the wheel, as `scripts/release-storectl`
/// has built it.
enum PackagedProgram {
    /// - Throws: ``BenchmarkFailure`` when it wasn't built.
    static func file() throws -> URL {
        let build = ProcessInfo.processInfo.environment["RELEASE_BUILD"] ?? ".build/release-storectl"
        let file = URL(fileURLWithPath: build).appending(path: "portable/storectl")
        guard FileManager.default.isExecutableFile(atPath: file.path) else {
            throw BenchmarkFailure("\(file.path) is missing: `scripts/release-storectl portable` builds it.")
        }
        return file
    }

    /// The size in bytes.
    ///
    /// - Throws: ``BenchmarkFailure``.
    static func size(of file: URL) throws -> Int {
        guard let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize else {
            throw BenchmarkFailure("\(file.path) has no size.")
        }
        return size
    }
}

/// The size of the program that others install.
struct PackageSizeRow: Row {
    static let name = "package-size"
    static let summary = "the size of the storectl of `make dist`, against 60 MB"

    static func compare() async throws -> Comparison {
        let file = try PackagedProgram.file()
        return try Comparison(Double(PackagedProgram.size(of: file)) / 1e6, against: 60, unit: "MB")
    }
}

/// The start of that program with a folder that has its keys already.
struct PackageStartRow: Row {
    static let name = "package-start"
    static let summary =
        "starts of the storectl of `make dist` until `/readyz` answers, with a folder that has its keys, against one in "
        + "300 ms"

    static func compare() async throws -> Comparison {
        let program = try PackagedProgram.file()
        return try await withTemporaryFolder { folder in
            // The first start makes the keys.
            try await start(program, in: folder)
            return try await Comparison(
                Side("starts", operations: 1) { try await start(program, in: folder) },
                against: Side("starts") { 1 / 0.3 })
        }
    }

    private static func start(_ program: URL, in folder: URL) async throws {
        let port = try LoopbackSocket.freePort()
        let process = Process()
        process.executableURL = program
        process.arguments = ["serve", "--data", folder.path, "--listen", "127.0.0.1:\(port)"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let end = ContinuousClock.now + .seconds(60)
        while (try? await Load(path: "/readyz").answer(at: port)) == nil {
            guard process.isRunning, ContinuousClock.now < end else {
                throw BenchmarkFailure("\(program.path) isn't ready after 60 s.")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
