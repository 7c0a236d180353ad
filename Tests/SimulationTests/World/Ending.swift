// SPDX-License-Identifier: Apache-2.0

import StoreAgent
import StoreDatabase
import StoreDomain

/// The end of a run: restarts everything without faults, waits until no work
/// is left, and compares the books.
struct Ending {
    let world: World

    init(_ world: World) {
        self.world = world
    }

    /// Milliseconds to wait: longer than the time after which a sheet
    /// expires.
    private static let timeLimit: Int64 = 30 * 60 * 1000

    func run() {
        restart()
        if world.renewals != nil { move(.speed(.realTime)) }
        if !world.pass(atMost: Self.timeLimit, until: { isSettled }) {
            return complain("nothing more happens, and yet")
        }
        if world.renewals != nil {
            // A step that was lost is missed then.
            move(.later(ClockDuration(months: 1, days: 3)))
            if !world.pass(atMost: Self.timeLimit, until: { isSettled }) { complain("after a month") }
        }
        if world.changesDevices {
            world.handOver()
            world.pass(5000)
            if !world.pass(atMost: Self.timeLimit, until: { isSettled }) { complain("after handing over") }
        }
        // Transactions of an account that isn't signed in wait until it signs in again.
        for _ in 0..<6 {
            let debts = books?.debts ?? []
            if debts.isEmpty { break }
            for device in world.devices {
                guard let debt = debts.first(where: { $0.device == device.identifier }) else { continue }
                signIn(debt.account, on: device)
            }
        }
        guard isSettled, let books, books.debts.isEmpty else { return complain("after everybody has signed in") }
        for app in apps { everythingIsThere(app, books) }
        restoreEverything(books)
        if world.transactions != nil { compareTransactions(of: apps) }
        guard let books = self.books, let database = world.store.database,
            (try? database.read { [world] in try world.look($0) }) != nil
        else { return complain("in the end") }
        Audit(world, books).run()
    }

    /// Moves the clocks of all accounts, and waits until everything is carried
    /// out.
    private func move(_ move: MovingClock.Move) {
        let closed = books?.closed ?? []
        var left = (world.accounts + world.absent.map(\.account)).filter {
            !closed.contains($0.account.identifier.rawValue)
        }
        for _ in 0..<10 where !left.isEmpty {
            let moved = left
            var (answers, failed) = (0, [SimulatedAccount]())
            for account in moved {
                account.move(move) { isDone in
                    answers += 1
                    if !isDone { failed.append(account) }
                }
            }
            _ = world.pass(atMost: 60_000) { answers == moved.count }
            left = failed
        }
        for account in left { world.witness.complain("the clock of \(account.account.email) doesn't move") }
    }

    private var apps: [SimulatedApp] {
        world.devices.flatMap { device in
            device.bundles.compactMap { bundle in device.processes.first { $0.bundle == bundle } }
        }
    }

    /// Compares an app's receipt with its journal, and its values with the
    /// store's.
    private func everythingIsThere(_ app: SimulatedApp, _ books: Books) {
        world.downloads?.isComplete(app)
        guard let account = app.account(books) else { return }
        world.witness.receipts.settled(
            app.device.receipt(of: app.bundle), of: app.place, journalled: app.journalledReceipt)
        let periods = books.charges.filter { $0.account == account && $0.bundle == app.bundle && $0.isPeriod }
        world.witness.receipts.holds(
            Set(periods.map(\.transaction)), at: app.place, app.device.receipt(of: app.bundle))
        let (kept, there) = (app.kept, books.keyValues(of: account, app.bundle))
        if kept != there {
            world.witness.complain("\(app.place) keeps \(kept ?? [:]), and \(account) \(there)")
        }
    }

    /// Checks that restores deliver every owned non-consumable once, and
    /// nothing else.
    private func restoreEverything(_ books: Books) {
        for app in apps {
            guard let account = app.account(books) else { continue }
            let owned = books.charges.filter {
                $0.account == account && $0.bundle == app.bundle && !$0.isRefunded
                    && ($0.isOwnedOnce && $0.original == $0.transaction || $0.isPeriod)
            }
            app.restore()
            _ = world.pass(atMost: Self.timeLimit) { app.restoring.hasFinished || app.restoring.hasFailed }
            let restored = app.restoring.originals.sorted()
            if !app.restoring.hasFinished || restored != owned.map(\.original).sorted() {
                world.witness.complain("\(app.place) has restored \(restored) of \(owned.map(\.original))")
            }
        }
        if !world.pass(atMost: Self.timeLimit, until: { isSettled }) { complain("after a restore") }
    }

    private func restart() {
        for device in world.devices {
            device.isOnline = true
            device.disk.setFull(false)
            device.cachesAreFull = false
            for app in device.processes { device.kill(app) }
            // The power cut also cancels a disk failure that is set and hasn't happened.
            device.losePower()
            for bundle in device.bundles where world.chance.happens(300) { device.removeReceipt(of: bundle) }
        }
        world.store.setFull(false)
        world.store.losePower()
        world.pass(60_000)
        for device in world.devices {
            device.restrict(false)
            endWithDaemon(on: device)
            for bundle in device.bundles { device.launch(bundle)?.synchronizeKeyValues() }
        }
    }

    /// Starts the daemon of some devices, which ends on some of these while
    /// the apps use it.
    private func endWithDaemon(on device: SimulatedDevice) {
        guard let daemon = device.daemon, world.chance.happens(700) else { return }
        daemon.start()
        guard world.chance.happens(500) else { return }
        world.scheduler.after(Int64(world.chance.number(in: 0..<20_000))) { daemon.kill() }
    }

    private func signIn(_ account: String, on device: SimulatedDevice) {
        guard let app = device.processes.first,
            let customer = world.accounts.firstIndex(where: { $0.account.identifier.rawValue == account })
        else { return }
        var isOut: Bool?
        app.signOut { isOut = $0 }
        _ = world.pass(atMost: 60_000) { isOut != nil }
        device.customer = customer
        var isDone = false
        app.refresh { isDone = true }
        _ = world.pass(atMost: Self.timeLimit) { isDone && isSettled }
    }

    private var books: Books? { try? Books(world) }

    private var isSettled: Bool {
        guard let books else { return false }
        if !books.undecided.isEmpty { world.decide() }
        return books.familyWork.isEmpty && books.openPayments.isEmpty && books.openRequests.isEmpty
            && books.openEvents.isEmpty
            && world.store.provider.isSettled && !books.isRenewing(at: world.scheduler.now)
            && world.devices.allSatisfy { $0.isSettled(books) }
    }

    private func complain(_ when: String) {
        guard let books else { return world.witness.complain("the store doesn't start any more") }
        for payment in books.openPayments { world.witness.complain("\(when) payment \(payment) is under way") }
        for event in books.openEvents { world.witness.complain("\(when) \(event) isn't handled") }
        for work in books.familyWork { world.witness.complain("\(when) \(work) isn't carried out") }
        if !world.store.provider.isSettled { world.witness.complain("\(when) an event isn't received") }
        for request in books.openRequests { world.witness.complain("\(when) request \(request) is open") }
        for debt in books.debts {
            world.witness.complain("\(when) \(debt.transaction) of \(debt.account) waits for \(debt.device)")
        }
        for device in world.devices {
            for line in device.unsettled(books) { world.witness.complain("\(when) \(device.name) has \(line)") }
        }
        if world.witness.violations.isEmpty { world.witness.complain("\(when) something isn't settled") }
    }
}
