// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The memory of an app that downloads large content.
struct ContentClientMemoryRow: Row {
    static let name = "content-client-memory"
    static let summary =
        "the most memory of an app's agent, above the idle one, while it downloads, verifies and writes a file of 2 GB, "
        + "against 32 MB"

    /// The argument that makes this program measure itself.
    static let childArgument = "--content-client-memory"

    private static let limit = 32.0

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let package = try BenchmarkContent(in: folder)
            try package.addSparse("large.bin", bytes: 2_000_000_000)
            let store = try await BenchmarkContent.store(in: folder)
            _ = try await package.publish(in: store)
            return try await withServer(store.server) { port in
                let transaction = try await ContentDevice.buy(in: folder, of: store, at: port)
                let text = try await Tool(path: CommandLine.arguments[0])
                    .run([childArgument, folder.path, "\(port)", transaction])
                let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
                guard numbers.count == 2 else { throw BenchmarkFailure("The app that downloads said \"\(text)\".") }
                var comparison = Comparison(numbers[0] / 1024, against: limit, unit: "MB")
                comparison.notes.append("\(Int((2000 / numbers[1]).rounded())) MB/s")
                return comparison
            }
        }
    }

    /// Runs in the app's process: downloads, and prints the KiB that it took
    /// and its seconds.
    static func measure(folder: URL, port: Int, transaction: String) async throws {
        let device = try ContentDevice(in: folder, port: port, transaction: transaction)
        try await device.running {
            let idle = try ResidentMemory.beginPeak()
            let time = try await ContinuousClock().measure { try await device.download() }
            print(try ResidentMemory.kibibytes("VmHWM") - idle, time / .seconds(1))
        }
    }
}
