// SPDX-License-Identifier: Apache-2.0

import StoreService

/// What people and bad days do, one thing after the other.
struct Actions {
    private let world: World
    private var chance: Chance { world.chance }

    init(_ world: World) {
        self.world = world
        // Some worlds are nearly peaceful, so that other things meet.
        world.network.trouble = [0, 40, 120, 250][chance.number(in: 0..<4)]
        world.store.provider.trouble = [0, 50, 200][chance.number(in: 0..<3)]
        world.store.provider.declines = [0, 60][chance.number(in: 0..<2)]
    }

    mutating func act() {
        guard let device = chance.pick(world.devices) else { return }
        guard let app = chance.pick(device.processes) else {
            device.launch()
            return
        }
        switch chance.number(in: 0..<1000) {
        case 0..<480: buy(on: app)
        case 515..<540: app.restore()
        case 540..<555: app.refresh()
        case 555..<570: app.signOut()
        case 480..<500: world.decide()
        case 500..<515: refund()
        case 570..<590: device.customer = chance.number(in: 0..<world.accounts.count)
        case 590..<610: app.isObserving ? app.stopObserving() : app.observe()
        case 610..<690: if device.processes.count < 3 { device.launch() }
        case 690..<740: device.kill(app)
        case 740..<755: device.losePower()
        case 755..<800: app.life.end(afterChanges: chance.number(in: 0..<40))
        case 800..<825: device.disk.fail(afterChanges: chance.number(in: 0..<60))
        case 825..<840: world.store.kill()
        case 840..<850: world.store.losePower()
        case 850..<870: world.store.server?.life.end(afterChanges: chance.number(in: 0..<60))
        case 870..<885: world.store.disk.fail(afterChanges: chance.number(in: 0..<80))
        case 885..<905: fill(device.disk, of: device.name)
        case 905..<915: fill(world.store.disk, of: "the store")
        case 915..<945: disconnect(device)
        case 945..<975: world.stepsUntilEnd = chance.number(in: 0..<12)
        default: world.network.trouble = [0, 40, 120, 250, 500][chance.number(in: 0..<5)]
        }
    }

    private func buy(on app: SimulatedApp) {
        for _ in 0..<(chance.happens(250) ? chance.number(in: 2..<6) : 1) {
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

    private func refund() {
        guard let books = try? Books(world), let charge = chance.pick(books.charges) else { return }
        world.note("\(charge.transaction.prefix(6)) is refunded")
        world.ask({ _ = try await $0.refund(charge.transaction) }) { _ in }
    }

    private func fill(_ disk: SimulatedDisk, of name: String) {
        world.note("the disk of \(name) is full")
        disk.setFull(true)
        world.scheduler.after(Int64(chance.number(in: 100..<30_000))) { disk.setFull(false) }
    }

    private func disconnect(_ device: SimulatedDevice) {
        world.note("\(device.name) is offline")
        device.isOnline = false
        world.scheduler.after(Int64(chance.number(in: 100..<90_000))) { device.isOnline = true }
    }
}
