// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit
import StoreTestSupport

/// A content package of a test.
struct ContentPackage {
    let temporary: TemporaryFolder
    let files: [String: Data]

    /// Writes a package with files in its folder `Contents`.
    init(of product: String, version: String = "1.0", _ contents: [String: Data]) throws {
        temporary = try TemporaryFolder()
        let information = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>IAPProductIdentifier</key><string>\(product)</string>
            <key>ContentVersion</key><string>\(version)</string>
            </dict></plist>
            """
        var files = ["ContentInfo.plist": Data(information.utf8)]
        for (name, data) in contents { files["Contents/\(name)"] = data }
        self.files = files
        for (path, data) in files {
            let file = temporary.url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }

    var url: URL { temporary.url }

    /// The bytes of all files.
    var length: Int64 { Int64(files.values.reduce(0) { $0 + $1.count }) }

    /// Whether a folder has these files, and no others.
    func isSame(as folder: URL?) throws -> Bool {
        guard let folder else { return false }
        var found: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            if let data = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path) {
                found[path] = data
            }
        }
        return found == files
    }
}

/// An app that starts the download of each purchase and finishes the
/// transaction after it.
@MainActor
final class Reader: NSObject, @preconcurrency SKPaymentTransactionObserver {
    /// The state of each update, with the progress in percent.
    private(set) var heard: [String] = []
    private(set) var transactions: [SKPaymentTransaction] = []
    private(set) var downloads: [SKDownload] = []
    /// The objects of all updates.
    private(set) var updated: [SKDownload] = []
    var starts = true
    var finishes = false

    override init() {
        super.init()
        SKPaymentQueue.default().add(self)
    }

    func quit() {
        SKPaymentQueue.default().remove(self)
    }

    func buy(_ product: String) async {
        SKPaymentQueue.default().add(SKPayment(productIdentifier: product))
        await mainQueueUpdates()
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where [.purchased, .restored].contains(transaction.transactionState) {
            self.transactions.append(transaction)
            downloads = transaction.downloads
            if starts { queue.start(downloads) }
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        updated += downloads
        for download in downloads {
            heard.append("\(name(download.state)) \(Int((download.progress * 100).rounded()))")
            if finishes, download.state == .finished { queue.finishTransaction(download.transaction) }
        }
    }

    private func name(_ state: SKDownloadState) -> String {
        switch state {
        case .waiting: "waiting"
        case .active: "active"
        case .paused: "paused"
        case .finished: "finished"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
