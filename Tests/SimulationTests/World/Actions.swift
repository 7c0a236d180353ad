// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The actions of customers and apps, and the faults, that a world consists
/// of.
struct Actions {
    let world: World
    var chance: Chance { world.chance }

    init(_ world: World) {
        self.world = world
        // Some worlds have few faults or none, so that other conditions coincide.
        world.network.trouble = [0, 40, 120, 250][chance.number(in: 0..<4)]
        world.store.provider.trouble = [0, 50, 200][chance.number(in: 0..<3)]
        world.store.provider.declines = [0, 60][chance.number(in: 0..<2)]
        drawLateness()
    }

    /// Draws how often the payment provider answers later, and how often its
    /// events contradict one another.
    private func drawLateness() {
        let provider = world.store.provider
        provider.lateness = [0, 150, 500][chance.number(in: 0..<3)]
        provider.contradictions = [0, 200][chance.number(in: 0..<2)]
        favourMistake()
    }

    func act() {
        guard let device = chance.pick(world.devices) else { return }
        guard let app = chance.pick(device.processes) else {
            for bundle in device.bundles { device.launch(bundle) }
            return
        }
        if provokeMistake(on: device, app) { return }
        if let daemon = device.daemon, chance.happens(80) {
            return daemon.isAlive ? daemon.kill() : daemon.start()
        }
        switch chance.number(in: 0..<1260) {
        case 0..<480: buy(on: app)
        case 480..<500: world.decide()
        case 500..<515: refund()
        case 515..<540: app.restore()
        case 540..<555: app.refresh()
        case 555..<570: app.signOut()
        case 570..<590: device.customer = chance.number(in: 0..<world.accounts.count)
        case 590..<610: app.isObserving ? app.stopObserving() : app.observe()
        case 610..<690: if let bundle = chance.pick(device.bundles) { launch(bundle, on: device) }
        case 690..<740: device.kill(app)
        case 740..<945: bringBadLuck(to: device, app)
        case 945..<975: world.stepsUntilEnd = chance.number(in: 0..<12)
        case 975..<1000: world.network.trouble = [0, 40, 120, 250, 500][chance.number(in: 0..<5)]
        case 1000..<1110: changeRules(for: device, app)
        case 1110..<1120: reverseRefund()
        default: useKeyValues(on: app)
        }
    }

    /// Kills a process, cuts the power, fills a disk or disconnects a device.
    func bringBadLuck(to device: SimulatedDevice, _ app: SimulatedApp) {
        switch chance.number(in: 0..<205) {
        case 0..<15: device.losePower()
        case 15..<60: app.life.end(afterChanges: chance.number(in: 0..<40))
        case 60..<85: device.disk.fail(afterChanges: chance.number(in: 0..<60))
        case 85..<100: world.store.pickNode()?.kill()
        case 100..<110: world.store.losePower()
        case 110..<130: world.store.pick()?.life.end(afterChanges: chance.number(in: 0..<60))
        case 130..<145: world.store.disk.fail(afterChanges: chance.number(in: 0..<80))
        case 145..<165: fill(device.name) { device.disk.setFull($0) }
        case 165..<175: fill("the store") { world.store.setFull($0) }
        default: disconnect(device)
        }
    }

    /// Changes the state of an account, a device or a product.
    func changeRules(for device: SimulatedDevice, _ app: SimulatedApp) {
        guard let account = chance.pick(world.accounts) else { return }
        switch chance.number(in: 0..<110) {
        case 0..<25: account.interrupt(for: chance.pause(2000..<20_000, long: 20_000..<90_000))
        case 25..<45: account.move(to: ["USA", "DEU", "GBR"][chance.number(in: 0..<3)])
        case 45..<55: account.bar(for: chance.pause(1000..<10_000, long: 10_000..<60_000))
        case 55..<65: restrict(device)
        case 65..<85: device.removeReceipt(of: app.bundle)
        case 85..<100: turnClock(of: device)
        default: world.limit(chance.happens(500) ? "pear" : "juice", of: app.bundle)
        }
    }

    func launch(_ bundle: String, on device: SimulatedDevice) {
        if device.processes.filter({ $0.bundle == bundle }).count < 3 { device.launch(bundle) }
    }

    func restrict(_ device: SimulatedDevice) {
        device.restrict(true)
        world.scheduler.after(Int64(chance.number(in: 1000..<20_000))) { device.restrict(false) }
    }

    /// Puts a device's clock off by up to 100 minutes, or by up to about a
    /// year.
    private func turnClock(of device: SimulatedDevice) {
        let hour: Int64 = 3_600_000
        device.clockError = Int64(chance.number(in: -100..<101)) * (chance.happens(300) ? 90 * hour : hour / 60)
        world.note("the clock of \(device.name) is wrong by \(device.clockError) ms")
    }

    func useKeyValues(on app: SimulatedApp) {
        let key = "key\(chance.number(in: 0..<3))"
        switch chance.number(in: 0..<10) {
        case 0..<4: count(on: app, as: key)
        case 4..<7: app.keep("\(app.life.name) at \(world.scheduler.now)", for: key)
        case 7: app.keep(nil, for: key)
        default: app.synchronizeKeyValues()
        }
    }

    /// Writes several values for one key in a row, as an app does that keeps
    /// a count.
    private func count(on app: SimulatedApp, as key: String) {
        var pause: Int64 = 0
        for _ in 0..<chance.number(in: 3..<10) {
            world.scheduler.after(pause) { [world] in
                app.keep("\(app.life.name) at \(world.scheduler.now)", for: key)
            }
            pause += chance.pause(200..<3000, long: 3000..<30_000)
        }
    }

    private func buy(on app: SimulatedApp) {
        for _ in 0..<(chance.happens(400) ? chance.number(in: 2..<8) : 1) {
            switch chance.number(in: 0..<1000) {
            case 0..<80: app.buy(chance.happens(500) ? "juice" : "pear", quantity: 1, asksToBuy: true)
            case 80..<560: app.buy("juice", quantity: chance.number(in: 1..<4))
            case 560..<700: app.buy("apple", quantity: 1)
            case 700..<840: app.buy("pear", quantity: 1)
            case 840..<940: app.buy("seed", quantity: 1)
            case 940..<970: app.buy("nothing", quantity: 1)
            default: app.buy("juice", quantity: 11)
            }
        }
    }

    func refund() {
        guard let books = try? Books(world), let charge = chance.pick(books.charges) else { return }
        world.note("\(charge.transaction.suffix(6)) is refunded")
        world.ask({ _ = try await $0.refund(TransactionIdentifier(charge.transaction)) }) { _ in }
    }

    /// Takes back a refund. The store refuses some, such as that of a product
    /// that was bought again.
    func reverseRefund() {
        guard let books = try? Books(world), let charge = chance.pick(books.charges.filter(\.isRefunded)) else {
            return
        }
        world.note("the refund of \(charge.transaction.suffix(6)) is taken back")
        world.ask({ _ = try await $0.reverseRefund(of: TransactionIdentifier(charge.transaction)) }) { _ in }
    }

    func fill(_ name: String, _ setFull: @escaping (Bool) -> Void) {
        world.note("the disk of \(name) is full")
        world.downloads?.filled(name)
        setFull(true)
        world.scheduler.after(Int64(chance.number(in: 100..<30_000))) { setFull(false) }
    }

    private func disconnect(_ device: SimulatedDevice) {
        world.note("\(device.name) is offline")
        device.isOnline = false
        world.scheduler.after(Int64(chance.number(in: 100..<90_000))) { device.isOnline = true }
    }
}
