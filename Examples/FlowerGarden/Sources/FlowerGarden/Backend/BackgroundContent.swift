// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// Gets a product's content from the back end into a file.
protocol ContentLoading: Sendable {
    /// Goes on with a download that was begun, and does nothing when the file is there. `progress` gets the share that is on
    /// the disk, from 0 to 1.
    func load(
        _ product: String, to file: URL, from client: GardenClient, progress: @escaping @Sendable (Double) -> Void
    ) async throws

    /// Deletes the bytes of an interrupted download of a file.
    func discard(_ file: URL) throws
}

/// A download that `storeagentd` goes on with when the app ends, and without
/// it the app's next launch.
struct BackgroundContent: ContentLoading {
    func load(
        _ product: String, to file: URL, from client: GardenClient, progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        guard !FileManager.default.fileExists(atPath: file.path) else {
            return try BackgroundDownload.acknowledge(Self.identifier(of: file))
        }
        let begun = try start(product, file, client)
        for await download in BackgroundDownload.updates where download.id == begun.id {
            switch download.state {
            case .running:
                if let whole = download.expectedBytes, whole > 0 {
                    progress(Double(download.receivedBytes) / Double(whole))
                }
            case .failed(let error): throw error
            case .finished(let loaded): return try keep(loaded, as: file)
            }
        }
        // The stream ends when the app does.
        throw CancellationError()
    }

    func discard(_ file: URL) throws { try BackgroundDownload.cancel(Self.identifier(of: file)) }

    /// The customer's folder and the product: two customers of a device have
    /// two downloads.
    private static func identifier(of file: URL) -> String { file.pathComponents.suffix(3).joined(separator: "/") }

    private func start(_ product: String, _ file: URL, _ client: GardenClient) throws -> BackgroundDownload {
        let request = BackgroundDownload.Request(
            id: Self.identifier(of: file), url: client.address.appendingPathComponent("content/\(product)"),
            fields: client.token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
        do {
            return try BackgroundDownload.start(request)
        } catch let error as BackgroundDownloadError where error.code == .identifierInUse {
            // It was begun in a session that has ended: this one begins anew.
            try BackgroundDownload.cancel(request.id)
            return try BackgroundDownload.start(request)
        }
    }

    /// The app has the file before the download is acknowledged, which deletes
    /// the other one: an app that ends anywhere in this has one of the two.
    private func keep(_ loaded: URL, as file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try DurableFile.copy(loaded, to: file)
        try BackgroundDownload.acknowledge(Self.identifier(of: file))
    }
}
