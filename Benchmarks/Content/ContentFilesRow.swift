// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The cost of a content of many small files on the device.
struct ContentFilesRow: Row {
    static let name = "content-files"
    static let summary =
        "downloads of a content of 10,000 small files by an app's agent, verified and durable, against `tar x` of the "
        + "same files, which verifies nothing and leaves them in memory"

    private static let files = 10_000

    static func compare() async throws -> Comparison {
        try await withTemporaryFolder { folder in
            let package = try BenchmarkContent(in: folder)
            for number in 0..<files {
                try package.add("\(number / 100)/\(number).bin", bytes: 1 + number * 7919 % 8192)
            }
            let archive = folder.appending(path: "files.tar")
            _ = try await Tool(path: "tar").run(["cf", archive.path, "-C", package.folder.path, "."])
            let store = try await BenchmarkContent.store(in: folder)
            _ = try await package.publish(in: store)
            return try await withServer(store.server) { port in
                let transaction = try await ContentDevice.buy(in: folder, of: store, at: port)
                let device = try ContentDevice(in: folder, port: port, transaction: transaction)
                return try await device.running {
                    try await Comparison(
                        downloads(to: device), against: extractions(of: archive, in: folder, durable: false),
                        beside: [
                            ("`tar x` and `sync -f`:", extractions(of: archive, in: folder, durable: true))
                        ])
                }
            }
        }
    }

    private static func downloads(to device: ContentDevice) -> Side {
        Side("files", each: files) {
            let time = try await ContinuousClock().measure { try await device.download() }
            try device.removeContent()
            return Double(files) / (time / .seconds(1))
        }
    }

    private static func extractions(of archive: URL, in folder: URL, durable: Bool) -> Side {
        Side("files", each: files) {
            let target = folder.appending(path: "extracted", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: target) }
            let time = try await ContinuousClock().measure {
                _ = try await Tool(path: "tar").run(["xf", archive.path, "-C", target.path])
                if durable { _ = try await Tool(path: "sync").run(["-f", target.path]) }
            }
            return Double(files) / (time / .seconds(1))
        }
    }
}
