// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreDomain

/// A model of who has agreed to what, apart from the store's own rules.
///
/// It has the acts of the customers with the highest price that their pages have
/// named, and reads each new row of the ledger as its transaction has left the
/// accounts and the families. Each charge needs an act of its payer to at least
/// that amount.
final class AgreementWitness: @unchecked Sendable {  // because only the scheduler's thread touches it
    /// An act by which an account has agreed to pay.
    struct Act {
        let number: Int
        /// The account that has agreed, and the one whose purchase it is.
        var account: String
        var owner: String
        var bundle: String
        var product: String
        /// The highest price that the page has named, in thousandths.
        var most: Int64
        /// The request of a sheet, or the number of the purchase that a parent
        /// has approved; empty for a choice.
        var request = ""
        /// The time until which the store may still carry it out.
        var open = Int64.max
    }

    /// The subscription of an account in a group of an app.
    struct Place: Hashable {
        var owner: String
        var bundle: String
        var group: String
    }

    private unowned let world: World
    private var acts: [String: [Act]] = [:]
    /// The acts since the newest period was bought, and with which it was.
    private var standing: [Place: [Act]] = [:]
    /// The prices of which subscribers are only informed, by app and product.
    private var informed: [String: [Int64]] = [:]
    private var count = 0
    private var lastEntry: Int64 = 0
    private var lastContact: Int64 = 0
    private var contacts: [String: Int] = [:]
    /// The family that an account was in when its request began to wait.
    private var families: [String: String] = [:]
    /// The charges that were compared.
    private(set) var charges = 0

    init(_ world: World) {
        self.world = world
    }

    func complain(_ sentence: String) { world.witness.complain("agreement: \(sentence)") }

    // MARK: Acts

    /// Records an act that is about to be sent to the store.
    func acts(
        _ account: String, for owner: String, _ product: String, of bundle: String, upTo most: Int64,
        request: String = ""
    ) -> Act {
        count += 1
        let act = Act(
            number: count, account: account, owner: owner, bundle: bundle, product: product, most: most,
            request: request)
        if !request.isEmpty { acts[request, default: []].append(act) }
        if let place = Self.place(of: act) { standing[place, default: []].append(act) }
        world.note("\(account.suffix(6)) agrees to \(most) for \(product) of \(owner.suffix(6))")
        return act
    }

    /// Records that the store has answered an act, or may still carry it out for
    /// some time.
    func ended(_ act: Act, in milliseconds: Int64) {
        var ended = act
        ended.open = world.scheduler.now + milliseconds
        let replaced = { (list: [Act]) in list.map { $0.number == act.number ? ended : $0 } }
        acts[act.request] = acts[act.request].map(replaced)
        if let place = Self.place(of: act) { standing[place] = standing[place].map(replaced) }
    }

    /// Forgets an act that the store has refused.
    func refused(_ act: Act) {
        acts[act.request]?.removeAll { $0.number == act.number }
        if let place = Self.place(of: act) { standing[place]?.removeAll { $0.number == act.number } }
    }

    func subscribersAreInformed(of price: Int64, of product: String, _ bundle: String) {
        informed["\(bundle) \(product)", default: []].append(price)
    }

    private static func place(of act: Act) -> Place? {
        group(of: act.product).map { Place(owner: act.owner, bundle: act.bundle, group: $0) }
    }

    private static func group(of product: String) -> String? {
        if Template.baskets.contains(product) { return "BASKETS" }
        return Template.papers.contains(product) ? "PAPERS" : nil
    }

    private static func length(of product: String) -> String {
        switch product {
        case "weekly": "a week"
        case "yearly": "a year"
        default: "a month"
        }
    }

    // MARK: Rows

    /// Looks at the rows that were written since it looked last.
    func look(_ connection: any Connection) throws {
        try lookAtLedger(connection)
        try lookAtRequests(connection)
        try lookAtContacts(connection)
    }

    private func lookAtLedger(_ connection: any Connection) throws {
        for row in try connection.rows(
            """
            SELECT l.rowid AS number, l.kind, l.account_id AS payer, l.transaction_id, l.milliunits,
                p.account_id AS owner, p.bundle_id, p.product_id, p.request_id, r.deferred_at
            FROM ledger_entry l JOIN purchase p ON p.transaction_id = l.transaction_id
                LEFT JOIN request r ON r.device_id = p.device_id AND r.request_id = p.request_id
            WHERE l.rowid > $1 ORDER BY l.rowid
            """, [lastEntry])
        {
            lastEntry = try row.get("number")
            let entry = try Entry(row)
            switch entry.kind {
            case "charge":
                charges += 1
                if entry.request.isEmpty { try renewed(entry, connection) } else { bought(entry) }
            case "refund reversed": try takenBack(entry, connection)
            default: break
            }
        }
    }

    /// A purchase: its payer has confirmed its sheet, or has approved it.
    private func bought(_ entry: Entry) {
        let approvals = acts[entry.transaction] ?? []
        let agreed = entry.wasDeferred && !approvals.isEmpty ? approvals : acts[entry.request] ?? []
        if entry.amount > 0, !agreed.contains(where: { $0.account == entry.payer && $0.most >= entry.amount }) {
            complain("\(entry) was bought, and its payer has agreed to \(agreed)")
        }
        guard let group = Self.group(of: entry.product) else { return }
        let place = Place(owner: entry.owner, bundle: entry.bundle, group: group)
        let first = agreed.map(\.number).min() ?? 0
        standing[place]?.removeAll { act in
            !agreed.contains { $0.number == act.number } && act.number < first && act.open < world.scheduler.now
        }
    }

    /// A later period of a subscription: its payer still may and must pay, and
    /// has agreed to this price since the newest period was bought.
    private func renewed(_ entry: Entry, _ connection: any Connection) throws {
        guard entry.amount > 0 else { return }
        if let reason = try obstacle(to: entry, connection) { complain("\(entry) was renewed, and \(reason)") }
        let place = Self.group(of: entry.product).map { Place(owner: entry.owner, bundle: entry.bundle, group: $0) }
        let agreed = (place.flatMap { standing[$0] } ?? []).filter { $0.account == entry.payer }
        let isInformed =
            entry.payer == entry.owner
            && informed["\(entry.bundle) \(entry.product)"]?.contains {
                $0 >= entry.amount
            } == true
        let isAgreed = agreed.contains { act in
            let isSame =
                act.product == entry.product
                // A parent isn't asked for a plan that costs no more.
                || entry.payer != entry.owner && Self.length(of: act.product) == Self.length(of: entry.product)
            return isSame && (act.most >= entry.amount || isInformed)
        }
        if !isAgreed { complain("\(entry) was renewed, and its payer has agreed to \(agreed)") }
    }

    /// A refund that is taken back: there is an account to collect from.
    private func takenBack(_ entry: Entry, _ connection: any Connection) throws {
        for account in [entry.payer, entry.owner] {
            let state = try state(of: account, connection)
            if state.isClosed || state.isBarred { complain("the refund of \(entry) was taken back from \(state)") }
        }
    }

    /// The reason why an account must not be charged for a renewal.
    private func obstacle(to entry: Entry, _ connection: any Connection) throws -> String? {
        for account in [entry.payer, entry.owner] {
            let state = try state(of: account, connection)
            if state.isClosed || state.isBarred { return "\(account) is \(state)" }
        }
        guard entry.payer != entry.owner else { return nil }
        let (payer, owner) = (try family(of: entry.payer, connection), try family(of: entry.owner, connection))
        guard let payer, let owner, payer.family == owner.family, payer.role != "child" else {
            return "\(entry.payer) is no parent of \(entry.owner)"
        }
        return nil
    }

    private func state(of account: String, _ connection: any Connection) throws -> (isClosed: Bool, isBarred: Bool) {
        let rows = try connection.rows("SELECT closed_at, is_barred FROM account WHERE account_id = $1", [account])
        guard let row = rows.first else { return (true, false) }
        let closed: Int64? = try row.get("closed_at")
        return (closed != nil, try row.get("is_barred"))
    }

    private func family(
        of account: String, _ connection: any Connection
    ) throws -> (family: String, role: String, joined: Int64)? {
        try connection.rows("SELECT family_id, role, joined_at FROM family_member WHERE account_id = $1", [account])
            .first.map { (try $0.get("family_id"), try $0.get("role"), try $0.get("joined_at")) }
    }

    /// A request waits for the family in which it was asked, and for no later
    /// one.
    private func lookAtRequests(_ connection: any Connection) throws {
        for row in try connection.rows("SELECT transaction_id, account_id FROM request WHERE status = 'deferred'") {
            let request: String = try row.get("transaction_id")
            guard let now = try family(of: try row.get("account_id"), connection).map({ "\($0.family) \($0.joined)" })
            else {
                // Without a family it waits for the operator, unless it has waited for a family.
                if families[request]?.isEmpty == false {
                    complain("\(request) waits for a family that its child has left")
                }
                families[request] = families[request] ?? ""
                continue
            }
            if let before = families[request], !before.isEmpty, before != now {
                complain("\(request) waits for another family")
            }
            families[request] = families[request] ?? now
        }
    }

    /// The month for a contact is given once for an account and app.
    private func lookAtContacts(_ connection: any Connection) throws {
        for row in try connection.rows(
            "SELECT rowid AS number, account_id, bundle_id FROM shared_contact WHERE rowid > $1 ORDER BY rowid",
            [lastContact])
        {
            lastContact = try row.get("number")
            let place = "\(try row.get("account_id") as String) in \(try row.get("bundle_id") as String)"
            contacts[place, default: 0] += 1
            if contacts[place] ?? 0 > 1 { complain("\(place) has had the month for a contact twice") }
        }
    }
}

/// A row of the ledger with its purchase.
private struct Entry: CustomStringConvertible {
    var kind: String
    var payer: String
    var transaction: String
    var amount: Int64
    var owner: String
    var bundle: String
    var product: String
    /// Empty for a renewal.
    var request: String
    var wasDeferred: Bool

    init(_ row: Row) throws {
        kind = try row.get("kind")
        payer = try row.get("payer")
        transaction = try row.get("transaction_id")
        amount = try row.get("milliunits")
        owner = try row.get("owner")
        bundle = try row.get("bundle_id")
        product = try row.get("product_id")
        request = try row.get("request_id") ?? ""
        let deferred: Int64? = try row.get("deferred_at")
        wasDeferred = deferred != nil
    }

    var description: String { "\(transaction) of \(product) for \(owner), at \(amount) from \(payer)," }
}
