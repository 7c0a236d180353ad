// SPDX-License-Identifier: Apache-2.0

package import StoreAPI
import StoreDomain

/// The events of one device for one app, one after the other, as the account
/// commits them.
package actor EventFeed {
    /// What comes next.
    package enum Item: Sendable {
        case event(StoreEvent)
        /// Nothing happened for a while; the line is to show that it lives.
        case heartbeat
    }

    private let service: StoreService
    private let device: DeviceIdentifier
    private let bundleIdentifier: String
    private var position: EventPosition?
    private var pending: [StoreEvent] = []
    private var signals: AsyncStream<EventHub.Signal>.Iterator
    private var isOver = false

    /// Subscribes first and reads the position after that, so that nothing
    /// committed in between is missed.
    init(_ service: StoreService, _ subscription: EventSubscription, account: String?) {
        self.service = service
        device = DeviceIdentifier(rawValue: subscription.credentials.identifier)
        bundleIdentifier = subscription.bundleIdentifier
        position = subscription.position
        signals = service.hub.subscribe(device: device.rawValue, account: account).makeAsyncIterator()
    }

    /// Catches up with what was committed before the stream began.
    func begin() async throws {
        try await readNews()
    }

    /// The next item; `nil` at the end: the device's account changed, or the
    /// server stops.
    ///
    /// - Throws: `StoreFailure` when the database is out of order.
    package func next() async throws -> Item? {
        while true {
            if !pending.isEmpty { return .event(pending.removeFirst()) }
            guard !isOver else { return nil }
            var iterator = signals
            let signal = await iterator.next(isolation: #isolation)
            signals = iterator
            switch signal {
            case nil:
                return nil
            case .heartbeat:
                return .heartbeat
            case .request(let identifier):
                return .event(.request(requestIdentifier: identifier))
            case .accountChanged:
                isOver = true
                return .event(.accountChanged)
            case .news:
                do {
                    try await readNews()
                } catch {
                    throw service.failure(of: error, at: "events")
                }
            }
        }
    }

    private func readNews() async throws {
        let reading = ReadingQueue(service.context)
        while true {
            guard let known = position,
                let news = try await reading.news(
                    for: device, bundleIdentifier: bundleIdentifier, account: known.account, after: known.number)
            else {
                let snapshot = try await service.snapshot(of: device, bundleIdentifier: bundleIdentifier)
                position = snapshot.position
                pending.append(.snapshot(snapshot))
                return
            }
            guard let last = news.last else { return }
            position = EventPosition(account: known.account, number: last.event.number)
            pending += news.map(event)
        }
    }

    private func event(_ news: ReadingQueue.News) -> StoreEvent {
        let position = EventPosition(account: news.event.account, number: news.event.number)
        if let entry = news.entry { return .transaction(TransactionInfo(entry), position) }
        if news.event.kind == .finished, news.event.bundleIdentifier == bundleIdentifier {
            return .removed(transactionIdentifier: news.event.transactionIdentifier, position)
        }
        return .position(position)
    }
}

extension StoreService {
    /// Opens a device's event stream.
    ///
    /// - Throws: `StoreFailure` when the device isn't who it says.
    package func feed(_ subscription: EventSubscription) async throws -> EventFeed {
        do {
            let device = DeviceIdentifier(rawValue: subscription.credentials.identifier)
            try await RegisteringDevice(context)
                .check(device, secret: subscription.credentials.secret)
            let snapshot = try await ReadingQueue(context)
                .snapshot(of: device, bundleIdentifier: subscription.bundleIdentifier)
            let feed = EventFeed(self, subscription, account: snapshot.account?.identifier)
            try await feed.begin()
            return feed
        } catch {
            throw failure(of: error, at: "events")
        }
    }
}
