// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird

/// The back end of FlowerGarden, on this computer.
///
/// FLOWERGARDEN_ROOT is the file of the store's root certificate,
/// FLOWERGARDEN_DATA the folder of the customers' records and
/// FLOWERGARDEN_PORT the port (8082).
@main
struct FlowerGardenServer {
    static let bundleIdentifier = "com.example.FlowerGarden"

    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        do {
            guard let root = environment["FLOWERGARDEN_ROOT"], let data = environment["FLOWERGARDEN_DATA"],
                let port = Int(environment["FLOWERGARDEN_PORT"] ?? "8082"), (1...65535).contains(port)
            else {
                throw Failure("Set FLOWERGARDEN_ROOT, FLOWERGARDEN_DATA, and FLOWERGARDEN_PORT to 1...65535.")
            }
            let garden = try garden(
                data: URL(fileURLWithPath: data),
                receipts: ReceiptsHere(
                    root: Data(contentsOf: URL(fileURLWithPath: root)), bundleIdentifier: bundleIdentifier))
            try await Application(
                router: Routes(garden: garden).router(),
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
            ).runService()
        } catch {
            FileHandle.standardError.write(Data("FlowerGardenServer: \(error)\n".utf8))
            exit(1)
        }
    }

    /// A garden with the products and the content of the bundle.
    static func garden(
        data: URL, receipts: any ReceiptChecking, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Garden {
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let resources = Bundle.module.bundleURL.appendingPathComponent("Resources")
        let list = try Data(contentsOf: resources.appendingPathComponent("products.json"))
        return Garden(
            catalogue: try JSONDecoder().decode(Catalogue.self, from: list),
            content: resources.appendingPathComponent("Content"),
            records: try Records(data.appendingPathComponent("records.json")), receipts: receipts, now: now)
    }
}

/// Why the program can't run, in one sentence.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
