// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreDatabase

/// Records the versions of content that were published and the downloads that
/// apps have received, and checks each finished one.
final class DownloadWitness {
    /// A product of an app on a device.
    struct Holding: Hashable {
        var place: Place
        var product: String
    }

    /// A download that was finished after one of its starts.
    struct Finished: Hashable {
        var place: Place
        var download: AgentDownload.ID
        var transaction: String
        var product: String
        var turn: Int64
    }

    /// A download that has failed.
    struct Failure {
        var place: Place
        var download: AgentDownload
        /// Whether the device's power had failed: bytes that weren't flushed
        /// may be damaged then.
        var isAfterPowerFailure: Bool
    }

    /// The versions whose upload was begun, the oldest first.
    private(set) var versions: [SimulatedContent] = []
    /// The versions that the store has reported as published.
    private var confirmed: Set<String> = []
    private(set) var failures: [Failure] = []
    /// The finished downloads: the same one may be started again.
    private(set) var finished: Set<Finished> = []
    /// How often a byte was altered on its way, by the purchase.
    private(set) var alterations: [String: Int] = [:]
    /// The devices whose caches were full.
    private(set) var wereFull: Set<String> = []
    /// The devices whose power has failed.
    private var powerless: Set<String> = []
    /// The contents that an app may have deleted since their last download.
    private(set) var deleted: Set<Holding> = []
    private let complain: (String) -> Void

    init(complain: @escaping (String) -> Void) {
        self.complain = complain
    }

    // MARK: The store

    /// Makes the next version of a product's content.
    func makeVersion(of product: String, in bundle: String) -> SimulatedContent? {
        let number = versions.count { $0.product == product && $0.bundle == bundle } + 1
        guard let version = try? SimulatedContent(bundle: bundle, product: product, number: number) else {
            complain("version \(number) of \(product) can't be packed")
            return nil
        }
        versions.append(version)
        return version
    }

    func published(_ content: SimulatedContent) {
        confirmed.insert(Self.name(content))
    }

    /// A version that can be removed without leaving the product without
    /// content: the first version always stays.
    func removable(of product: String, in bundle: String) -> [SimulatedContent] {
        let all = versions.filter { $0.product == product && $0.bundle == bundle && confirmed.contains(Self.name($0)) }
        return all.first?.version == "1.0" ? Array(all.dropFirst()) : []
    }

    private static func name(_ content: SimulatedContent) -> String {
        "\(content.product) \(content.version) of \(content.bundle)"
    }

    func altered(_ purchase: String) {
        alterations[purchase, default: 0] += 1
    }

    func lostPower(_ device: String) {
        powerless.insert(device)
    }

    func filled(_ device: String) {
        wereFull.insert(device)
    }

    /// Checks, when the store begins to send bytes, that their purchase wasn't
    /// refunded some seconds before. The clocks of nodes differ by less.
    func opened(_ purchase: String, in world: World) {
        let revoked = try? world.store.database?.read { connection -> Int64? in
            try connection.row(
                "SELECT created_at FROM event WHERE kind = 'revoked' AND transaction_id = $1", [purchase]
            )?.get("created_at")
        }
        if let revoked = revoked ?? nil, revoked < world.scheduler.now - 10_000 {
            complain("\(purchase) was refunded at \(revoked), and its content is sent")
        }
    }

    // MARK: Apps

    func deletes(_ product: String, at place: Place) {
        deleted.insert(Holding(place: place, product: product))
    }

    func told(_ download: AgentDownload, to app: SimulatedApp) {
        switch download.state {
        case .finished:
            isFinished(download, by: app)
        case .failed:
            failures.append(
                Failure(
                    place: app.place, download: download, isAfterPowerFailure: powerless.contains(app.device.name)))
        case .waiting, .active, .paused, .cancelled:
            break
        }
    }

    private func isFinished(_ download: AgentDownload, by app: SimulatedApp) {
        let (product, place) = (download.productIdentifier, app.place)
        let isNew = finished.insert(
            Finished(
                place: place, download: download.id, transaction: download.transactionIdentifier, product: product,
                turn: download.turn)
        ).inserted
        guard let folder = download.content else { return complain("\(download.id) is finished without a folder") }
        let files = app.files(in: folder)
        // A newer download of the product, or the app, may have removed it since.
        guard !files.isEmpty, app.finishedContent(of: product)?.folder.path == folder.path else { return }
        let holding = Holding(place: place, product: product)
        if isNew { deleted.remove(holding) }
        if !deleted.contains(holding) { check(files, of: product, version: download.version, at: place) }
    }

    /// Checks that files are those of a version that was published.
    func check(_ files: [String: Data], of product: String, version: String, at place: Place) {
        let bought = versions.first {
            $0.bundle == place.bundle && $0.product == product && $0.version == version
        }
        guard let bought else {
            return complain("\(place) has version \(version) of \(product), which was never published")
        }
        guard files != bought.files else { return }
        let differing = Set(files.keys).union(bought.files.keys).filter { files[$0] != bought.files[$0] }.sorted().map {
            "\($0) has \(files[$0]?.count ?? 0) of \(bought.files[$0]?.count ?? 0) bytes"
        }
        complain("the content \(product) \(version) of \(place) isn't the one bought: \(differing)")
    }

    /// Checks that the contents which an app's journal names are on the disk.
    func isComplete(_ app: SimulatedApp) {
        for product in Set(versions.map(\.product)).sorted() {
            guard let content = app.finishedContent(of: product) else { continue }
            // A process that ends while it deletes a content leaves some of it.
            if deleted.contains(Holding(place: app.place, product: product)) { continue }
            check(app.files(in: content.folder), of: product, version: content.version, at: app.place)
        }
    }
}
