// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird

/// The back end of FlowerGarden, on this computer.
///
/// FLOWERGARDEN_DATA is the folder of the customers' records and
/// FLOWERGARDEN_PORT the port (8082). FLOWERGARDEN_ROOT is the file of the
/// store's root certificate: receipts are checked with it. With
/// FLOWERGARDEN_VERIFY, the address of the store's `/verifyReceipt`, they are
/// checked there, and FLOWERGARDEN_SECRET_FILE has the app's shared secret, if
/// it has one.
@main
struct FlowerGardenServer {
    static let bundleIdentifier = "com.example.FlowerGarden"

    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        do {
            guard let data = environment["FLOWERGARDEN_DATA"],
                let port = Int(environment["FLOWERGARDEN_PORT"] ?? "8082"), (1...65535).contains(port)
            else { throw Failure("Set FLOWERGARDEN_DATA to a folder, and FLOWERGARDEN_PORT to 1...65535.") }
            let garden = try garden(data: URL(fileURLWithPath: data), receipts: receipts(environment))
            try await serve(garden, port)
        } catch {
            FileHandle.standardError.write(Data("FlowerGardenServer: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func serve(_ garden: Garden, _ port: Int) async throws {
        let application = Application(
            router: Routes(garden: garden).router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
        do {
            try await application.runService()
        } catch {
            throw Failure(
                """
                The server on 127.0.0.1, port \(port), has failed: \(error). If another program uses the port, set \
                FLOWERGARDEN_PORT to a free one.
                """)
        }
    }

    /// The way to check receipts that the environment chooses.
    ///
    /// - Throws: ``Failure`` if it chooses none or both.
    static func receipts(_ environment: [String: String]) throws -> any ReceiptChecking {
        switch (environment["FLOWERGARDEN_ROOT"], environment["FLOWERGARDEN_VERIFY"]) {
        case (let root?, nil):
            return try ReceiptsHere(
                root: Data(contentsOf: URL(fileURLWithPath: root)), bundleIdentifier: bundleIdentifier)
        case (nil, let text?):
            guard let address = URL(string: text), ["http", "https"].contains(address.scheme) else {
                throw Failure("FLOWERGARDEN_VERIFY is \"\(text)\". Set it to a URL that ends with /verifyReceipt.")
            }
            let secret = try environment["FLOWERGARDEN_SECRET_FILE"].map {
                try String(contentsOfFile: $0, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            }
            return ReceiptsAtStore(address: address, bundleIdentifier: bundleIdentifier, secret: secret)
        default: throw Failure("Set either FLOWERGARDEN_ROOT or FLOWERGARDEN_VERIFY.")
        }
    }

    /// A garden with the products and the content of the bundle.
    static func garden(
        data: URL, receipts: any ReceiptChecking, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Garden {
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let resources = Bundle.module.bundleURL.appendingPathComponent("Resources")
        return Garden(
            catalogue: try Catalogue(Data(contentsOf: resources.appendingPathComponent("products.json"))),
            content: resources.appendingPathComponent("Content"),
            records: try Records(data.appendingPathComponent("records.json")), receipts: receipts, now: now)
    }
}

/// Why the program can't run, in one sentence.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
