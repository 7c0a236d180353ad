// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// Gets a product's content from the back end into a file. It goes on with a
/// download that it has begun, and does nothing when the file is there.
typealias ContentLoader = @Sendable (_ product: String, _ file: URL, _ client: GardenClient) async throws -> Void

/// A download that `storeagentd` goes on with when the app ends, and without
/// it the app's next launch.
struct BackgroundContent: Sendable {
    static let loader: ContentLoader = { product, file, client in
        try await BackgroundContent(client: client, product: product, file: file).run()
    }

    let client: GardenClient
    let product: String
    let file: URL

    /// The customer's folder and the product: two customers of a device have
    /// two downloads.
    private var identifier: String { file.pathComponents.suffix(3).joined(separator: "/") }

    private func run() async throws {
        guard !FileManager.default.fileExists(atPath: file.path) else {
            return try BackgroundDownload.acknowledge(identifier)
        }
        try start()
        for await download in BackgroundDownload.updates where download.id == identifier {
            switch download.state {
            case .running: continue
            case .failed(let error): throw error
            case .finished(let loaded): return try keep(loaded)
            }
        }
        // The stream ends when the app does.
        throw CancellationError()
    }

    private func start() throws {
        let request = BackgroundDownload.Request(
            id: identifier, url: client.address.appendingPathComponent("content/\(product)"),
            fields: client.token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
        do {
            try BackgroundDownload.start(request)
        } catch let error as BackgroundDownloadError where error.code == .identifierInUse {
            // It was begun in a session that has ended: this one begins anew.
            try BackgroundDownload.cancel(identifier)
            try BackgroundDownload.start(request)
        }
    }

    /// The app has the file before the download is acknowledged, which deletes
    /// the other one: an app that ends anywhere in this has one of the two.
    private func keep(_ loaded: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try DurableFile.copy(loaded, to: file)
        try BackgroundDownload.acknowledge(identifier)
    }
}
