// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

/// Follows each consumable from the device that bought it to the app that
/// finishes it, event by event.
///
/// It uses none of the store's own rules: it checks those of
/// `HandingOverConsumables` and of `FinishingTransaction`.
final class HolderWitness {
    /// A device that has a consumable in its queue, between two events of the
    /// account.
    struct Holder {
        var device: String
        var since: Int64
        /// The event that has ended it.
        var until: Int64?
    }

    /// A consumable that was bought.
    struct Consumable {
        var account: String
        var bundle: String
        /// The devices that have had it, in their order.
        var holders: [Holder]
        /// The kind of the event that has removed it from the last queue.
        var end: String?
        /// Whether it was given to another device.
        var wasHandedOver = false
    }

    /// A delivery of a purchase to an app.
    struct Delivery {
        var transaction: String
        var place: Place
        /// The event position of the device at that moment.
        var position: EventPosition
    }

    /// The consumables, by their transaction identifiers.
    private(set) var consumables: [String: Consumable] = [:]
    private(set) var deliveries: [Delivery] = []
    /// The places at which an app has called `finish` for each transaction.
    private(set) var finishers: [String: Set<Place>] = [:]
    /// The transactions whose refund was taken back, and that have no device
    /// again yet.
    private var reinstated: Set<String> = []
    private var last: Int64 = 0
    private let complain: (String) -> Void

    init(complain: @escaping (String) -> Void) {
        self.complain = complain
    }

    /// The transactions that were given to another device.
    var handedOver: Set<String> { Set(consumables.filter(\.value.wasHandedOver).keys) }

    func delivered(_ transaction: String, at place: Place, _ position: EventPosition?) {
        guard let position else { return }
        deliveries.append(Delivery(transaction: transaction, place: place, position: position))
    }

    func finishes(_ transaction: String, at place: Place) {
        finishers[transaction, default: []].insert(place)
    }

    /// An event of a consumable, and the rows that its transaction has
    /// written.
    private struct Event {
        var kind: String
        var number: Int64
        var account: String
        var bundle: String
        var transaction: String
        /// The milliseconds since 1970 on the clock of the process.
        var at: Int64
        var buyer: String
        var isInReceipt: Bool
        /// The devices whose queues have the transaction, and the events with
        /// which it came there.
        var queues: [Holder] = []
    }

    /// Looks at the events since it looked last. Called at the beginning of
    /// every write transaction: the rows are as the transaction of the newest
    /// event has left them. The store keeps events for 90 days, longer than a
    /// world lasts.
    func look(_ connection: any Connection) throws {
        for row in try connection.rows(
            """
            SELECT e.rowid AS place, e.kind, e.event_number, e.account_id, e.bundle_id, e.transaction_id, e.created_at,
                p.device_id, p.is_in_receipt
            FROM event e LEFT JOIN purchase p
                ON p.environment = e.environment AND p.transaction_id = e.transaction_id AND p.kind = 'Consumable'
            WHERE e.rowid > $1 ORDER BY e.rowid
            """, [last])
        {
            last = try row.get("place")
            guard let buyer: String = try row.get("device_id") else { continue }
            var event = Event(
                kind: try row.get("kind"), number: try row.get("event_number"), account: try row.get("account_id"),
                bundle: try row.get("bundle_id"), transaction: try row.get("transaction_id"),
                at: try row.get("created_at"), buyer: buyer, isInReceipt: try row.get("is_in_receipt"))
            event.queues = try connection.rows(
                "SELECT device_id, event_number FROM queue_entry WHERE transaction_id = $1 ORDER BY device_id",
                [event.transaction]
            ).map { Holder(device: try $0.get("device_id"), since: try $0.get("event_number")) }
            try follow(event, connection)
        }
    }

    private func follow(_ event: Event, _ connection: any Connection) throws {
        switch event.kind {
        case "transaction": begin(event)
        case "handed-over": try handOver(event, connection)
        case "finished", "revoked": end(event)
        case "reinstated": reinstated.insert(event.transaction)
        default: break
        }
    }

    private func expect(_ isSo: Bool, _ event: Event, _ mistake: String) {
        if !isSo { complain("\(event.transaction), \(event.kind) by event \(event.number): \(mistake)") }
    }

    private func begin(_ event: Event) {
        let queues = event.queues.map(\.device)
        if reinstated.remove(event.transaction) != nil, consumables[event.transaction]?.end == "revoked" {
            expect(queues.count == 1, event, "it is in the queues of \(queues)")
            consumables[event.transaction]?.end = nil
            consumables[event.transaction]?.holders += queues.map { Holder(device: $0, since: event.number) }
            return
        }
        expect(consumables[event.transaction] == nil, event, "it was bought before")
        expect(queues == [event.buyer], event, "\(event.buyer) has bought it, and it is in the queues of \(queues)")
        expect(event.isInReceipt, event, "it isn't in the receipt")
        consumables[event.transaction] = Consumable(
            account: event.account, bundle: event.bundle,
            holders: [Holder(device: event.buyer, since: event.number)])
    }

    /// Checks that exactly one device has it after exactly one other had it,
    /// and that the one may have it and the other can't deliver it now.
    private func handOver(_ event: Event, _ connection: any Connection) throws {
        guard var consumable = consumables[event.transaction], consumable.end == nil,
            let before = consumable.holders.last
        else { return expect(false, event, "no device had it") }
        guard let heir = event.queues.first, event.queues.count == 1 else {
            return expect(false, event, "it is in the queues of \(event.queues.map(\.device))")
        }
        expect(heir.device != before.device, event, "\(heir.device) had it before")
        expect(heir.since == event.number, event, "\(heir.device) gets it by event \(heir.since)")
        expect(event.isInReceipt, event, "it isn't in the receipt")
        let use = try Use(of: event.bundle, on: heir.device, connection)
        expect(use.account == event.account, event, "\(heir.device) has signed in \(use.account ?? "nobody")")
        let past = try Use(of: event.bundle, on: before.device, by: event.account, connection)
        let isAbsent = past.account != event.account || past.seen <= event.at - Self.day
        expect(isAbsent, event, "\(before.device) was seen at \(past.seen), and it is \(event.at)")
        consumable.holders[consumable.holders.count - 1].until = event.number
        consumable.holders.append(heir)
        consumable.wasHandedOver = true
        consumables[event.transaction] = consumable
    }

    private func end(_ event: Event) {
        let queues = event.queues.map(\.device)
        expect(queues.isEmpty, event, "it is still in the queues of \(queues)")
        expect(!event.isInReceipt, event, "it is still in the receipt")
        guard var consumable = consumables[event.transaction] else { return expect(false, event, "no device had it") }
        guard consumable.end == nil else {
            // A consumable may be refunded after it was finished.
            return expect(event.kind == "revoked", event, "it was \(consumable.end ?? "") before")
        }
        consumable.end = event.kind
        consumable.holders[consumable.holders.count - 1].until = event.number
        consumables[event.transaction] = consumable
    }

    /// The time after which a device that doesn't use an app loses its
    /// consumables, in milliseconds.
    private static let day: Int64 = 86_400_000
}

/// The account that is signed in on a device, and the last use of an app
/// there.
private struct Use {
    var account: String?
    var seen: Int64

    init(of bundle: String, on device: String, by account: String = "", _ connection: any Connection) throws {
        let row = try connection.row(
            """
            SELECT device.account_id, COALESCE(used.last_seen_at, device.seen_at, 0) AS seen
            FROM device LEFT JOIN device_app used
                ON used.device_id = device.device_id AND used.account_id = $2 AND used.bundle_id = $3
            WHERE device.device_id = $1
            """, [device, account, bundle])
        guard let row else {
            (self.account, seen) = (nil, 0)
            return
        }
        self.account = try row.get("account_id")
        seen = try row.get("seen")
    }
}
