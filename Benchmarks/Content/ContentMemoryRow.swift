// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreService

/// The memory of a store that sends large content to many devices.
struct ContentMemoryRow: Row {
    static let name = "content-memory"
    static let summary =
        "the most memory of a store, above the idle one, while 64 devices have a download of 1 GB open, take nothing of "
        + "it at first and then the first 128 MB at full speed, against 64 MB"

    /// The argument that makes this program measure itself.
    static let childArgument = "--content-memory"

    private static let devices = 64
    private static let limit = 64.0

    /// Measures in a process of its own: this process has free memory from
    /// publishing, whose use would not be counted.
    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let package = try BenchmarkContent(in: folder)
            try package.addSparse("large.bin", bytes: 1_000_000_000)
            let store = try await BenchmarkContent.store(in: folder)
            _ = try await package.publish(in: store)
            let transaction = try await withServer(store.server) { port in
                try await Customer(0, of: store).buyContent(at: port)
            }
            let text = try await Tool(path: CommandLine.arguments[0]).run([childArgument, folder.path, transaction])
            // Lines of the store's log may precede it.
            guard let kibibytes = text.split(whereSeparator: \.isNewline).last.flatMap({ Double($0) }) else {
                throw BenchmarkFailure("The process that serves content said \"\(text)\".")
            }
            return Comparison(kibibytes / 1024, against: limit, unit: "MB")
        }
    }

    /// Prints the KiB that the downloads took.
    static func measure(folder: URL, transaction: String) async throws {
        let store = try await BenchmarkContent.store(in: folder)
        let memory = try await withServer(store.server) { port in
            let path = try await Customer.content(of: transaction, at: port)
            // Allocations that happen once are not counted.
            try await read([try await open(path, port)], bytes: 64_000_000)
            let idle = try ResidentMemory.beginPeak()
            var downloads: [Download] = []
            for _ in 0..<devices { downloads.append(try await open(path, port)) }
            guard store.service.openContentStreams >= devices else {
                throw BenchmarkFailure("The store sends only \(store.service.openContentStreams) contents.")
            }
            try await read(downloads, bytes: 128_000_000)
            return try ResidentMemory.kibibytes("VmHWM") - idle
        }
        print(memory)
    }

    private struct Download: Sendable {
        let connection: HTTPConnection
        let length: Int
    }

    /// Begins a download, whose bytes then fill the buffers of the kernel.
    private static func open(_ path: String, _ port: Int) async throws -> Download {
        try await onThreads(1) { _ in
            let connection = try HTTPConnection(port: port)
            return Download(connection: connection, length: try connection.begin(path))
        }[0]
    }

    private static func read(_ downloads: [Download], bytes: Int) async throws {
        try await onThreads(downloads.count) { number in
            let download = downloads[number]
            try download.connection.drop(min(bytes, download.length))
        }
    }
}

extension ResidentMemory {
    /// Forgets the peak until now, and returns the size in KiB.
    static func beginPeak() throws -> Int {
        // The kernel's documentation of /proc/PID/clear_refs: 5 resets VmHWM.
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        return try kibibytes("VmRSS")
    }
}
