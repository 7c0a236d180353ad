// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// One app of a shared event stream, and how far its events were received.
///
/// It decides the effect of a received event on the app's sequence. The next request for
/// the app begins after the last event that the app's sequence has, so that
/// no event is lost or repeated between two requests.
struct SharedPart {
    /// The result of an event.
    enum Step: Equatable {
        /// The app's sequence gets nothing.
        case nothing
        /// The store has begun to send the app's events.
        case open
        /// The app's sequence gets an event, and ends after it if `isLast`.
        case deliver(StoreEvent, size: Int, isLast: Bool)
        /// The app's sequence ends. The app begins anew, at the position of
        /// its journal.
        case end(StoreFailure?)
    }

    /// The app and the place where the next request begins.
    private(set) var app: StreamedApp
    /// Whether the store has opened the app, in this request or an earlier
    /// one.
    private(set) var isOpen = false
    /// Whether the store had opened the app before this request.
    private var isContinued = false
    /// Whether the sequence has an event that changed the position, or a
    /// snapshot.
    private var hasPosition = false
    private var pages = SnapshotPages()
    private var pageBytes = 0

    init(_ app: StreamedApp) {
        self.app = app
    }

    /// Begins another request. A snapshot whose last page is missing comes
    /// once more.
    mutating func begin() {
        isContinued = isOpen
        pages = SnapshotPages()
        pageBytes = 0
    }

    /// Takes an event of the app, of `size` encoded bytes.
    ///
    /// A snapshot in a request that goes on after a received event means that
    /// the store can't: another account is signed in, or the events are too
    /// old. The app begins anew then, and asks about its requests, as after
    /// the end of a stream of its own. A device without an account has no
    /// position, and gets the same empty snapshot for each request.
    mutating func take(_ event: StoreEvent, size: Int) -> Step {
        switch event.content {
        case let opened as OpenedEvent:
            isOpen = true
            app.newsNumber = app.newsNumber ?? opened.newsNumber
            return .open
        case let refused as RefusedEvent:
            return .end(refused.failure)
        case let snapshot as SnapshotEvent:
            guard isContinued, hasPosition else { return join(snapshot.snapshot, size) }
            return app.position == nil && snapshot.snapshot.position == nil ? .nothing : .end(nil)
        case let request as RequestEvent:
            app.newsNumber = request.number ?? app.newsNumber
        case let changed as AccountChangedEvent:
            app.newsNumber = changed.number ?? app.newsNumber
            return .deliver(event, size: size, isLast: true)
        case let numbered as any NumberedEvent:
            app.position = numbered.position
            hasPosition = true
        default:
            break
        }
        return .deliver(event, size: size, isLast: false)
    }

    /// Joins the pages of a snapshot: the position of a page isn't that of the
    /// queue before the last page was received.
    private mutating func join(_ page: QueueSnapshot, _ size: Int) -> Step {
        pageBytes += size
        do {
            guard let whole = try pages.join(page) else { return .nothing }
            app.position = whole.position
            hasPosition = true
            defer { pageBytes = 0 }
            return .deliver(.snapshot(whole), size: pageBytes, isLast: false)
        } catch {
            return .end(error as? StoreFailure ?? StoreFailure(.unreadableAnswer, "\(error)"))
        }
    }
}
