// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

@testable import StoreAgent

/// How an app handles the content of its transactions: it downloads the
/// content and finishes the transaction then.
extension SimulatedApp {
    private var world: World { device.world }

    /// Starts the downloads of a transaction.
    ///
    /// - Returns: whether the transaction is finished after them.
    func awaitsContent(of transaction: AgentTransaction) -> Bool {
        guard world.downloads != nil, let identifier = transaction.transactionIdentifier else { return false }
        let downloads = agent.downloads(of: identifier)
        // Some apps finish a transaction without its content.
        guard !downloads.isEmpty, world.isEnding || !world.chance.happens(50) else { return false }
        awaiting[identifier] = transaction
        act("starts", on: downloads) { try agent.start($0) }
        return true
    }

    /// Carries out an action on downloads.
    func act(_ name: String, on downloads: [AgentDownload], _ action: ([AgentDownload.ID]) throws -> Void) {
        guard life.isAlive else { return }
        world.note("\(life.name) \(name) \(downloads.map { "\($0.id.suffix(6))" }.joined(separator: " "))")
        do {
            try action(downloads.map(\.id))
        } catch {
            world.note("\(life.name) can't write into the journal")
            guard world.isEnding else { return }
            world.scheduler.after(1000) { [weak self] in
                guard let self, life.isAlive else { return }
                try? agent.start(downloads.map(\.id))
            }
        }
    }

    func hear(_ downloads: [AgentDownload]) {
        for download in downloads {
            world.note("\(life.name) gets \(download.id.suffix(6)) \(download.state) \(download.received)")
            world.downloads?.told(download, to: self)
            switch download.state {
            case .finished: goOn(after: download)
            case .failed: react(to: download)
            case .cancelled where !world.isEnding: goOn(after: download)
            case .waiting, .active, .paused, .cancelled: break
            }
        }
    }

    /// Finishes the transaction whose download has ended.
    private func goOn(after download: AgentDownload) {
        guard let transaction = awaiting.removeValue(forKey: download.transactionIdentifier) else { return }
        finishLater(transaction)
    }

    /// Goes on after a failure, gives the content up, or deletes it.
    private func react(to download: AgentDownload) {
        if download.failure?.reason == .notOwned { return goOn(after: download) }
        let pause = world.chance.pause(500..<5000, long: 5000..<30_000)
        let mood = world.isEnding ? 0 : world.chance.number(in: 0..<100)
        world.scheduler.after(pause) { [weak self] in
            guard let self, life.isAlive else { return }
            switch mood {
            case 0..<60: act("resumes", on: [download]) { try agent.resume($0) }
            case 60..<80: act("cancels", on: [download]) { try agent.cancel($0) }
            default: goOn(after: download)
            }
        }
    }

    /// Pauses, resumes, cancels or starts one of the app's downloads.
    func changeDownload() {
        let transactions = ((try? agent.transactions) ?? []).compactMap(\.transactionIdentifier)
        guard let download = world.chance.pick(transactions.flatMap { agent.downloads(of: $0) }) else { return }
        switch world.chance.number(in: 0..<100) {
        case 0..<35: act("pauses", on: [download]) { try agent.pause($0) }
        case 35..<75: act("resumes", on: [download]) { try agent.resume($0) }
        case 75..<82: act("cancels", on: [download]) { try agent.cancel($0) }
        default: act("starts", on: [download]) { try agent.start($0) }
        }
    }

    /// Deletes the content of a product.
    func deleteContent(of product: String) {
        guard life.isAlive else { return }
        world.note("\(life.name) deletes the content of \(product)")
        world.downloads?.deletes(product, at: place)
        try? agent.deleteContent(of: product)
    }
}

// The content on the device's disk.
extension SimulatedApp {
    /// The files in a folder, by their paths in it.
    func files(in folder: URL) -> [String: Data] {
        let name = name(of: folder)
        return device.disk.files(in: name).reduce(into: [:]) { files, file in
            files[String(file.dropFirst(name.count + 1))] = device.disk.contents(file)
        }
    }

    private func name(of file: URL) -> String { "home" + file.path.dropFirst(home.path.count) }

    /// The folder and the version of a product's finished content, as the
    /// journal has recorded them.
    func finishedContent(of product: String) -> (folder: URL, version: String)? {
        guard let content = try? agent.journal.content(of: product) else { return nil }
        return (agent.cache.content(of: product, named: content.folder), content.version)
    }

    /// The files of downloads that aren't complete.
    var incompleteFiles: [String] {
        device.disk.files(in: "home/caches/\(bundle)").filter { $0.contains(".partial/") }
    }

    /// Descriptions of the downloads that the app has left.
    func unsettledDownloads(_ connection: any Connection) throws -> [String] {
        guard world.downloads != nil else { return [] }
        return try Download.loadStarted(connection).map { "download \($0.identifier) \($0.phase)" }
            + Download.loadRemains(connection).map { "incomplete files of \($0.identifier)" }
    }
}
