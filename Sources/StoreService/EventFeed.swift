// SPDX-License-Identifier: Apache-2.0

package import StoreAPI
import StoreDomain

/// The events of one device for one app, in the order in which the account's
/// transactions commit them.
package actor EventFeed {
    /// An element of the feed.
    package enum Item: Sendable {
        case event(StoreEvent)
        /// A heartbeat: there are no events now, and the connection is open.
        case heartbeat
    }

    let service: StoreService
    let device: DeviceIdentifier
    let bundleIdentifier: BundleIdentifier
    private var position: AccountEvent.Position?
    /// The number of the last news of the device that the feed has read.
    var newsNumber: Int64?
    /// The number of the device's news after which the feed has begun.
    var newsNumberAtBegin: Int64?
    /// Whether a page of the device's news was read that isn't the last one.
    var hasMoreDeviceNews = false
    /// Whether the events, or the snapshot, since the subscription's position
    /// were read. The device's news before them come first.
    private(set) var hasReadEvents = false
    /// The events to send next: at most a page of news, and a page of events
    /// or of a snapshot.
    var pending: [StoreEvent] = []
    private let takesPages: Bool
    /// The end of the snapshot's last page, while more pages follow.
    private var page: AccountEvent.Position?
    let subscription: EventHub.Subscription
    private var signals: AsyncStream<EventHub.Wake>.Iterator
    /// Whether the feed ends after the pending events.
    var isOver = false
    private var hasBegun = false

    /// A feed that is subscribed to the news of the device. ``begin()``
    /// subscribes to the account's events.
    init(
        _ service: StoreService, _ device: DeviceIdentifier, _ app: StreamedApp, _ subscription: EventHub.Subscription
    ) {
        self.service = service
        self.device = device
        bundleIdentifier = BundleIdentifier(app.bundleIdentifier)
        position = app.position.map(AccountEvent.Position.init)
        newsNumber = app.newsNumber
        takesPages = app.takesPages ?? false
        self.subscription = subscription
        signals = subscription.signals.makeAsyncIterator()
    }

    /// Reads the news of the device and the events, or the snapshot, since the
    /// subscription's positions. When the news have several pages, it reads
    /// the first one, and ``next()`` reads the others and the events.
    func begin() async throws {
        service.hub.bind(subscription, to: position?.account)
        try await beginDeviceNews()
        try await beginEvents()
    }

    /// Reads the events, or the snapshot, unless pages of the device's earlier
    /// news come before them.
    private func beginEvents() async throws {
        guard !hasMoreDeviceNews else { return }
        hasReadEvents = true
        try await readNews()
        if let position { try await readPriceIncreases(of: position.account, isChange: false) }
        await recordUse()
    }

    /// Records that the device uses the app, at most once an hour.
    func recordUse() async {
        await service.recordUse(of: bundleIdentifier, on: device, by: position?.account)
    }

    /// The next item of a feed that is alone in its stream; `nil` when the
    /// device's account has changed, the server stops, or the hub has ended
    /// the stream.
    ///
    /// - Throws: `StoreFailure` when the database can't be read.
    package func next() async throws -> Item? {
        while true {
            if let event = try await ready() { return .event(event) }
            guard !isOver else { return nil }
            var iterator = signals
            let wake = await iterator.next(isolation: #isolation)
            signals = iterator
            guard let wake else { return nil }
            try await handle(wake.signal)
            if wake.signal == .heartbeat { return .heartbeat }
        }
    }

    /// The next event that is there without waiting for a signal; `nil` when
    /// there is none, or the device's account has changed (``isOver``).
    ///
    /// - Throws: `StoreFailure` when the database can't be read.
    func ready() async throws -> StoreEvent? {
        while true {
            if !pending.isEmpty { return pending.removeFirst() }
            guard !isOver else { return nil }
            if hasMoreDeviceNews {
                try await readMoreDeviceNews()
                continue
            }
            guard let page else { return nil }
            // A snapshot without its last pages is of no use: when the store
            // has too much to do, the device begins again later.
            do { try await readPage(after: page) } catch { throw service.failure(of: error, at: "events") }
        }
    }

    /// Reads the rows that a signal announces.
    ///
    /// - Throws: `StoreFailure` when the database can't be read.
    func handle(_ signal: EventHub.Signal) async throws {
        switch signal {
        case .heartbeat: await recordUse()
        case .deviceNews: try await wake(readDeviceNews)
        case .events: try await wake(readNews)
        }
    }

    private func readMoreDeviceNews() async throws {
        guard !hasReadEvents else { return try await wake(readDeviceNews) }
        do {
            try await readDeviceNews()
            try await beginEvents()
        } catch {
            throw service.failure(of: error, at: "events")
        }
    }

    private func wake(_ read: () async throws -> Void) async throws {
        do {
            try await read()
        } catch  where StoreContext.isOverload(error) {
            // The next signal reads again, at the latest that of
            // `StoreService.catchUp()`. A device whose stream ended would
            // read more: it would open a new one.
            hasMoreDeviceNews = false
        } catch {
            throw service.failure(of: error, at: "events")
        }
    }

    private func readNews() async throws {
        let known = position
        if let known {
            let news = try await ReadingQueue(service.context).news(
                for: device, bundleIdentifier: bundleIdentifier, after: known)
            if let news {
                guard let last = news.last else { return noteRead(known) }
                position = last.position
                noteRead(last.position)
                pending += news.flatMap(events)
                if news.contains(where: \.changesPriceIncreases) {
                    try await readPriceIncreases(of: last.position.account, isChange: true)
                }
                return
            }
        }
        let snapshot = try await service.snapshot(
            of: device, bundleIdentifier: bundleIdentifier, received: known, inPages: takesPages)
        let account = snapshot.position.map { AccountIdentifier($0.account) }
        let isNewAccount = service.hub.bind(subscription, to: account)
        // No account is signed in, as in the snapshot before: the device has it already.
        if known == nil, position == nil, snapshot.position == nil, hasBegun { return }
        hasBegun = true
        position = snapshot.position.map(AccountEvent.Position.init)
        if let position { noteRead(position) }
        pending.append(.snapshot(snapshot))
        page = snapshot.next.map(AccountEvent.Position.init)
        // Commits between the snapshot and the binding have woken no stream of this device.
        if isNewAccount, account != nil, page == nil { try await readNews() }
    }

    /// Reads the next page of a snapshot. All pages have the position of the
    /// first one, and the events after it follow the last page: they add the
    /// transactions that were bought between two pages, and remove those that
    /// were finished or refunded.
    private func readPage(after last: AccountEvent.Position) async throws {
        var snapshot = try await service.snapshot(
            of: device, bundleIdentifier: bundleIdentifier, inPages: true, after: last, until: position)
        guard snapshot.position?.account == last.account.rawValue else {
            // Another account is signed in now: the device begins anew.
            pending.append(.accountChanged)
            isOver = true
            return
        }
        snapshot.position = position.map(EventPosition.init)
        pending.append(.snapshot(snapshot))
        page = snapshot.next.map(AccountEvent.Position.init)
        if page == nil { try await readNews() }
    }

    private func noteRead(_ position: AccountEvent.Position) {
        service.hub.noteRead(subscription, events: position.number)
    }

    private func events(_ numbered: ReadingQueue.NumberedNews) -> [StoreEvent] {
        let hint = numbered.unanswered.map { StoreEvent.request(requestIdentifier: $0.rawValue) }
        return [hint, event(numbered)].compactMap { $0 }
    }

    private func event(_ numbered: ReadingQueue.NumberedNews) -> StoreEvent {
        let position = EventPosition(numbered.position)
        switch numbered.news {
        case .transaction(let entry): return .transaction(TransactionInfo(entry), position)
        case .finished(let identifier, let changesReceipt):
            return .removed(transactionIdentifier: identifier.rawValue, receiptChanged: changesReceipt, position)
        case .forgotten(let identifier):
            return .removed(
                transactionIdentifier: identifier.rawValue, receiptChanged: true, isForgotten: true, position)
        case .revoked(let purchase): return .revoked(RevokedInfo(purchase), position)
        case .reinstated(let purchase):
            return .position(position, receiptChanged: true, reinstated: RevokedInfo(purchase))
        case .storefront(let storefront): return .storefront(StorefrontInfo(storefront), position)
        case .clock(let clock): return .clock(offset: clock.offset, position)
        case .keyValues: return .keyValues(position)
        case .receiptChanged: return .position(position, receiptChanged: true)
        case .childRequest(let transaction): return .childRequest(transaction.rawValue, position)
        case .priceIncreases, .nothing: return .position(position)
        }
    }
}

extension StoreService {
    /// Opens a device's event stream of one app.
    ///
    /// - Throws: `StoreFailure`: `unknownDevice` for wrong credentials,
    ///   `notFound` for an app that isn't registered, `throttled` or
    ///   `unavailable` for too many streams, and after a newer version has
    ///   changed the schema.
    package func feed(_ subscription: EventSubscription) async throws -> EventFeed {
        do {
            try requireCurrentSchema()
            let device = DeviceIdentifier(subscription.credentials.identifier)
            try await RegisteringDevice(context)
                .check(device, secret: subscription.credentials.secret)
            try await requireApp(BundleIdentifier(subscription.bundleIdentifier))
            let subscribed = try hub.subscribe(
                device: device, bundleIdentifier: BundleIdentifier(subscription.bundleIdentifier))
            let feed = EventFeed(self, device, subscription.app, subscribed)
            try await feed.begin()
            return feed
        } catch {
            throw failure(of: error, at: "events")
        }
    }
}
