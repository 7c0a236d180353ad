// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Content of a purchase that the store hosts.
///
/// Declared so that sources which mention it compile. The store hosts no
/// content so far: every transaction's `downloads` is empty, and no download
/// is ever handed to an app.
@available(iOS, deprecated: 16.0)
@available(macOS, deprecated: 13.0)
@available(tvOS, deprecated: 16.0)
@available(watchOS, deprecated: 9.0)
open class SKDownload: NSObject {
    /// How far the download is.
    open var state: SKDownloadState { .waiting }
    /// How far the download is.
    @available(iOS, deprecated: 12.0)
    @available(tvOS, deprecated: 12.0)
    @available(macOS, unavailable)
    open var downloadState: SKDownloadState { state }
    /// The length of the content in bytes.
    @available(iOS, deprecated: 13.0)
    @available(tvOS, deprecated: 13.0)
    @available(macOS, unavailable)
    open var contentLength: Int64 { expectedContentLength }
    /// The length of the content in bytes.
    open var expectedContentLength: Int64 { 0 }
    /// The identifier of the product that the content belongs to.
    open var contentIdentifier: String { "" }
    /// Where the content lies; `nil` until the download has finished.
    open var contentURL: URL? { nil }
    /// The version of the content.
    open var contentVersion: String { "" }
    /// Why the download failed.
    open var error: (any Error)? { nil }
    /// How much has been downloaded, from 0 to 1.
    open var progress: Float { 0 }
    /// An estimate in seconds, or ``SKDownloadTimeRemainingUnknown``.
    open var timeRemaining: TimeInterval { SKDownloadTimeRemainingUnknown }
    /// The transaction that the content was bought with.
    open var transaction: SKPaymentTransaction { SKPaymentTransaction() }

    /// Where the content of a product lies that was downloaded before; `nil`,
    /// because the store hosts none so far.
    @available(macOS, deprecated: 13.0)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open class func contentURL(forProductID productID: String) -> URL? { nil }

    /// Would remove the content of a product; there is none so far.
    @available(macOS, deprecated: 13.0)
    @available(iOS, unavailable)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    open class func deleteContent(forProductID productID: String) {}

    /// A download of nothing, for test doubles to derive from.
    public override init() {
        super.init()
    }
}

/// How far a download is.
@frozen
@available(iOS, deprecated: 16.0)
@available(macOS, deprecated: 13.0)
@available(tvOS, deprecated: 16.0)
@available(watchOS, deprecated: 9.0)
public enum SKDownloadState: Int, Sendable {
    /// It hasn't started.
    case waiting = 0
    /// It is under way.
    case active = 1
    /// The app has paused it.
    case paused = 2
    /// The content is there.
    case finished = 3
    /// It has ended with an error.
    case failed = 4
    /// The app has cancelled it.
    case cancelled = 5
}

/// Says that no estimate of the time remaining can be made.
@available(iOS, deprecated: 16.0)
@available(macOS, deprecated: 13.0)
@available(tvOS, deprecated: 16.0)
@available(watchOS, deprecated: 9.0)
public var SKDownloadTimeRemainingUnknown: TimeInterval { -1 }
