// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI
import StoreDomain
import StoreService
import Synchronization

// Additions to Apple's session: content that the session's store hosts, and the
// network over which the app downloads it.
extension SKTestSession {
    /// Hosts a folder of the test as the newest content of a product: with
    /// `ContentInfo.plist`, which names the product and the version, and
    /// `Contents`.
    ///
    /// The folder is read while the app downloads it, and has to stay as it is
    /// until the session ends. Purchases and restores that are made after this
    /// call have a download.
    ///
    /// ```swift
    /// try session.hostContent(at: Bundle.module.resourceURL!.appendingPathComponent("Recipes"))
    /// ```
    ///
    /// - Throws: ``SKTestError``: `invalidURL`, `fileNotFound` for a folder
    ///   that isn't a content package or that a store refuses,
    ///   `invalidProductIdentifier`.
    public func hostContent(at folder: URL) throws {
        guard folder.isFileURL else {
            throw SKTestError(.invalidURL, message: "\(folder) isn't the address of a folder.")
        }
        try host().publish(folder)
        remember(contentAt: folder)
    }

    /// Keeps hosted content for the next store of this session.
    private func remember(contentAt folder: URL) {
        shared.state.withLock { $0.contents.append(folder) }
    }

    /// The bytes of content that arrive in a second of the session's time;
    /// `nil` for all that there are. The time moves with ``advance(by:)``.
    public var contentBandwidth: Int? {
        get { settings.contentBandwidth }
        set { change { $0.contentBandwidth = newValue } }
    }

    /// The failures of the next requests for bytes of content. Each request
    /// takes the first one; a download makes a request when it begins, and
    /// after each failure. A repeated request pauses before, so that
    /// ``advance(by:)`` makes it.
    public var contentFailures: [ContentFailure] {
        get { settings.contentFailures }
        set { change { $0.contentFailures = newValue } }
    }

    /// A failure of one request for bytes of content.
    public enum ContentFailure: Sendable, Hashable {
        /// The connection is lost after a number of bytes.
        case cut(after: Int)
        /// The store answers with an HTTP status: 403 when the product isn't
        /// owned, 404 when the version was removed, after which the app asks
        /// once whether there is another one, and any other when the store
        /// can't answer now.
        case status(Int)
        /// One of the bytes is another one.
        case wrongBytes
    }
}
