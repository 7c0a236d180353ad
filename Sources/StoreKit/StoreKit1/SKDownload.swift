// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Content of a purchase that the store hosts.
///
/// Declared so that sources that use it compile. The store hosts no content
/// yet: every transaction's `downloads` is empty, and no app receives a
/// download.
@available(iOS, deprecated: 16.0)
@available(macOS, deprecated: 13.0)
@available(tvOS, deprecated: 16.0)
@available(watchOS, deprecated: 9.0)
open class SKDownload: NSObject {
    /// The state of the download.
    open var state: SKDownloadState { .waiting }
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
    /// The length of the content in bytes.
    open var expectedContentLength: Int64 { 0 }
    /// The identifier of the product that the content belongs to.
    open var contentIdentifier: String { "" }
    /// The location of the content; `nil` until the download has finished.
    open var contentURL: URL? { nil }
    /// The version of the content.
    open var contentVersion: String { "" }
    /// The error of a failed download.
    open var error: (any Error)? { nil }
    /// The part that has been downloaded, from 0 to 1.
    open var progress: Float { 0 }
    /// The estimated time in seconds, or ``SKDownloadTimeRemainingUnknown``.
    open var timeRemaining: TimeInterval { SKDownloadTimeRemainingUnknown }
    /// The transaction that the content was bought with.
    open var transaction: SKPaymentTransaction { SKPaymentTransaction() }

    /// The location of a product's content after its download; `nil`, because
    /// the store hosts none yet.
    @available(macOS, deprecated: 13.0)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open class func contentURL(forProductID productID: String) -> URL? { nil }

    /// Would delete a product's content. Does nothing, because the store hosts
    /// none yet.
    @available(macOS, deprecated: 13.0)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open class func deleteContent(forProductID productID: String) {}

    /// An empty download, for test doubles to derive from.
    public override init() {
        super.init()
    }
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
    /// The content has been downloaded.
    case finished = 3
    /// The download has ended with an error.
    case failed = 4
    /// The app has cancelled the download.
    case cancelled = 5
}

/// The time remaining when no estimate is possible.
@available(iOS, deprecated: 16.0)
@available(macOS, deprecated: 13.0)
@available(tvOS, deprecated: 16.0)
@available(watchOS, deprecated: 9.0)
public var SKDownloadTimeRemainingUnknown: TimeInterval { -1 }
