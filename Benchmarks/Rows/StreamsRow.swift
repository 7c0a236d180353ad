// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreServer

/// The cost of event streams: their memory, and the time of a purchase while
/// they are open.
struct StreamsRow: Row {
    static let name = "streams"
    static let summary =
        "durable purchases of one customer in a store with 10,000 devices of which 5,000 hold an event stream, "
        + "against a store with as many devices and no stream; and the memory of a stream"

    private static let devices = 10_000
    private static let streams = 5000
    private static let purchasesEach = 50

    static func compare() async throws -> Comparison {
        var limits = ServerLimits()
        // As by `serve --max-connections 8000`: streams are three quarters.
        limits.connections = 8000
        // Each stream has a file on both sides.
        try OpenFiles.allow(2 * streams + 1000)
        return try await withTemporaryFolder { folder in
            var stores: [BenchmarkStore] = []
            for name in ["streams", "none"] {
                let place = folder.appending(path: name, directoryHint: .isDirectory)
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                stores.append(try await BenchmarkStore(in: place))
            }
            let (store, other) = (stores[0], stores[1])
            let opened = try await Streams.register(devices, in: store)
            _ = try await Streams.register(devices, in: other)
            return try await withServer({ [limits] in
                try store.server(port: $0, limits: limits, onServerRunning: $1)
            }) { port in
                try await withServer(other.server) { otherPort in
                    let purchases = try await Purchases(by: 1, each: purchasesEach, in: store, at: port)
                    let otherPurchases = try await Purchases(by: 1, each: purchasesEach, in: other, at: otherPort)
                    let before = try ResidentMemory.kibibytes("VmRSS")
                    let held = try await Streams(of: Array(opened.prefix(streams)), at: port)
                    let memory = Double(try ResidentMemory.kibibytes("VmRSS") - before) / Double(held.count)
                    var comparison = try await Comparison(purchases.side, against: otherPurchases.side)
                    try await purchases.check()
                    try await otherPurchases.check()
                    comparison.notes.append("\((memory * 10).rounded() / 10) KiB of memory a stream")
                    comparison.notes.append("\(held.count) streams open")
                    return comparison
                }
            }
        }
    }
}

/// The memory of a process.
enum ResidentMemory {
    /// Lets `VmHWM`, the most memory until now, begin with the present one
    /// (proc_pid_clear_refs(5)).
    static func forgetPeak() throws {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// A size of a process, or of this one, in KiB, as the kernel reports it.
    static func kibibytes(_ name: String, of process: Int32? = nil) throws -> Int {
        let status = try String(
            contentsOfFile: "/proc/\(process.map { "\($0)" } ?? "self")/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first, let kibibytes = Int(number)
        else { throw BenchmarkFailure("/proc/PID/status has no \(name): this row needs Linux.") }
        return kibibytes
    }
}

/// The limit of open files of this process.
private enum OpenFiles {
    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif

    /// Raises the limit, if it is lower.
    static func allow(_ count: Int) throws {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
        limit.rlim_cur = rlim_t(count)
        guard limit.rlim_cur <= limit.rlim_max, setrlimit(resource, &limit) == 0 else {
            throw BenchmarkFailure("This row needs \(count) open files: raise the hard limit (ulimit -Hn).")
        }
    }
}
