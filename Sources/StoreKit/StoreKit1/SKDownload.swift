// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

/// Content of a purchase that the store hosts: files that the app downloads
/// after the purchase or the restore.
///
/// Start it with the queue, before the transaction is finished. The values of
/// this object change on the main queue, before observers receive it in
/// `paymentQueue(_:updatedDownloads:)`.
///
/// ```swift
/// func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
///     for transaction in transactions where transaction.transactionState == .purchased {
///         queue.start(transaction.downloads)
///     }
/// }
///
/// func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
///     for download in downloads where download.state == .finished {
///         keep(download.contentURL)
///         queue.finishTransaction(download.transaction)
///     }
/// }
/// ```
@available(iOS, deprecated: 16.0)
@available(macOS, deprecated: 13.0)
@available(tvOS, deprecated: 16.0)
@available(watchOS, deprecated: 9.0)
open class SKDownload: NSObject {
    /// `nil` for a download that was never in a queue.
    let contents: DownloadContents?

    /// The state of the download. A started download is waiting until its
    /// turn: some are active at a time.
    open var state: SKDownloadState { contents.map { SKDownloadState($0.value.state) } ?? .waiting }
    /// The earlier name of ``state``.
    @available(iOS, deprecated: 12.0)
    @available(tvOS, deprecated: 12.0)
    @available(macOS, unavailable)
    open var downloadState: SKDownloadState { state }
    /// The earlier name of ``expectedContentLength``.
    @available(iOS, deprecated: 13.0)
    @available(tvOS, deprecated: 13.0)
    @available(macOS, unavailable)
    open var contentLength: Int64 { expectedContentLength }
    /// The length of the content in bytes: of all its files.
    open var expectedContentLength: Int64 { contents?.value.length ?? 0 }
    /// The identifier of the product that the content belongs to.
    open var contentIdentifier: String { contents?.value.productIdentifier ?? "" }
    /// The folder of the content, with `ContentInfo.plist` and `Contents`;
    /// `nil` until the download has finished, and after the app has moved or
    /// deleted it.
    open var contentURL: URL? { contents?.folder }
    /// The version of the content.
    open var contentVersion: String { contents?.value.version ?? "" }
    /// The error of a failed download: an ``SKError``, or a `CocoaError` of
    /// the file system.
    open var error: (any Error)? { contents?.value.failure?.error }
    /// The part that has been downloaded, from 0 to 1.
    open var progress: Float { Float(contents?.value.progress ?? 0) }
    /// The estimated time in seconds, or ``SKDownloadTimeRemainingUnknown``.
    open var timeRemaining: TimeInterval {
        contents?.value.remaining.map { TimeInterval($0) / 1000 } ?? SKDownloadTimeRemainingUnknown
    }
    /// The transaction that the content was bought or restored with.
    open var transaction: SKPaymentTransaction { contents?.transaction ?? SKPaymentTransaction() }

    /// The folder of a product's content that was downloaded last; `nil` when
    /// there is none, or the app has moved it.
    @available(macOS, deprecated: 13.0)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open class func contentURL(forProductID productID: String) -> URL? {
        (try? AgentHost.shared.agent())?.content(of: productID)
    }

    /// Deletes the content of a product that was downloaded. It can be
    /// downloaded again with a restored transaction.
    @available(macOS, deprecated: 13.0)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open class func deleteContent(forProductID productID: String) {
        do {
            try AgentHost.shared.agent().deleteContent(of: productID)
        } catch {
            AgentHost.say("deleteContent: \(error)")
        }
    }

    /// An empty download, for test doubles to derive from.
    public override init() {
        contents = nil
        super.init()
    }

    init(_ contents: DownloadContents) {
        self.contents = contents
        super.init()
    }

    /// Whether the other object is the same download.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKDownload else { return false }
        guard let contents, let others = other.contents else { return self === other }
        return contents.key == others.key
    }

    /// Equal for the same download.
    open override var hash: Int { contents?.key.hashValue ?? ObjectIdentifier(self).hashValue }
}

/// The state of a download.
@frozen
@available(iOS, deprecated: 16.0)
@available(macOS, deprecated: 13.0)
@available(tvOS, deprecated: 16.0)
@available(watchOS, deprecated: 9.0)
public enum SKDownloadState: Int, Sendable {
    /// The download has not started.
    case waiting = 0
    /// The content is being downloaded.
    case active = 1
    /// The app has paused the download.
    case paused = 2
    /// The content has been downloaded and verified.
    case finished = 3
    /// The download has ended with an error.
    case failed = 4
    /// The app has cancelled the download, or finished its transaction.
    case cancelled = 5
}

/// The time remaining when no estimate is possible.
@available(iOS, deprecated: 16.0)
@available(macOS, deprecated: 13.0)
@available(tvOS, deprecated: 16.0)
@available(watchOS, deprecated: 9.0)
public var SKDownloadTimeRemainingUnknown: TimeInterval { -1 }
