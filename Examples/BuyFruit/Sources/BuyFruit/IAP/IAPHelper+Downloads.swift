// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

extension Notification.Name {
    /// The progress of a download has changed; the object is the product's
    /// identifier.
    static let IAPHelperDownloadProgress = Notification.Name("IAPHelperDownloadProgressNotification")
}

/// A customer's action on a download.
enum DownloadAction: String, Sendable {
    case start, pause, resume, cancel
}

// Content that the store hosts: "Downloading Hosted Content from Apple's Server"
// in the In-App Purchase Programming Guide. A transaction with content is
// finished when the content is in the app's own folder.
extension IAPHelper {
    /// The download of a product's unfinished transaction; `nil` when the
    /// product has none.
    func download(of productIdentifier: String) -> SKDownload? {
        if let known = downloads[productIdentifier] { return known }
        let transaction = SKPaymentQueue.default().transactions.first {
            $0.payment.productIdentifier == productIdentifier && !$0.downloads.isEmpty
        }
        return transaction?.downloads.first
    }

    /// Carries out an action of the customer.
    func act(_ action: DownloadAction, onDownloadOf productIdentifier: String) {
        guard let download = download(of: productIdentifier) else { return }
        let queue = SKPaymentQueue.default()
        switch action {
        case .start: queue.start([download])
        case .pause: queue.pause([download])
        case .resume: queue.resume([download])
        case .cancel: queue.cancel([download])
        }
    }

    /// Starts the downloads of a transaction that the app hasn't started
    /// before. A download that the customer has paused or cancelled stays so.
    ///
    /// - Returns: whether the transaction has content that isn't kept yet.
    func downloadContent(of transaction: SKPaymentTransaction) -> Bool {
        let productIdentifier = transaction.payment.productIdentifier
        guard !books.hasBook(productIdentifier) else { return false }
        let content = transaction.downloads
        for download in content { downloads[productIdentifier] = download }
        SKPaymentQueue.default().start(content.filter { $0.state == .waiting })
        for download in content where download.state == .finished { keep(download) }
        return content.contains { $0.state != .finished }
    }

    func updated(_ changed: [SKDownload]) {
        for download in changed {
            let productIdentifier = download.contentIdentifier
            let before = states[productIdentifier]
            downloads[productIdentifier] = download
            states[productIdentifier] = download.state
            if download.state == .finished {
                keep(download)
                SKPaymentQueue.default().finishTransaction(download.transaction)
            }
            let isProgress = download.state == .active && before == .active
            NotificationCenter.default.post(
                name: isProgress ? .IAPHelperDownloadProgress : .IAPHelperQueueChanged, object: productIdentifier)
        }
    }

    /// Moves finished content to the app's folder. Content without a URL was
    /// moved before: the app ended before it finished the transaction.
    private func keep(_ download: SKDownload) {
        do {
            if let content = download.contentURL { try books.keep(content, of: download.contentIdentifier) }
            downloads[download.contentIdentifier] = nil
        } catch {
            presentAlert(Alert(title: "The book can’t be kept.", message: error.localizedDescription))
        }
    }
}
