// SPDX-License-Identifier: Apache-2.0

import StoreAssembly
import StoreDomain

extension World {
    /// Whether customers leave consumables unfinished and go on with another
    /// device. The worlds are chosen by the seed's number, without drawing:
    /// the other worlds keep the runs that they had before.
    var changesDevices: Bool {
        guard renewals == nil, downloads == nil else { return false }
        return seed % 4 == 3 || mistake == .handedOverConsumablesStay
    }
}

/// The actions after which the store hands consumables over.
extension Actions {
    func changeDevices() {
        switch chance.number(in: 0..<100) {
        case 0..<25: goOnElsewhere()
        case 25..<40: world.handOver()
        default: break
        }
    }

    /// A customer who has left a consumable unfinished on one device signs in
    /// on another one, where the app is used, and out on the first one.
    private func goOnElsewhere() {
        guard let books = try? Books(world), let debt = chance.pick(books.unfinishedConsumables),
            let from = world.devices.first(where: { $0.identifier == debt.device }),
            let to = chance.pick(world.devices.filter { $0 !== from && $0.bundles.contains(debt.bundle) }),
            let customer = world.accounts.firstIndex(where: { $0.account.identifier.rawValue == debt.account })
        else { return }
        world.note("\(world.accounts[customer].account.email) goes on with \(to.name) instead of \(from.name)")
        to.customer = customer
        from.customer = (customer + 1) % world.accounts.count
        from.processes.first?.signOut()
        let app = to.processes.first { $0.bundle == debt.bundle } ?? to.launch(debt.bundle)
        if books.accounts[to.identifier ?? ""] != debt.account {
            app?.signOut { _ in app?.refresh() }
        }
        for pause in [15_000..<30_000, 40_000..<90_000] {
            world.scheduler.after(Int64(chance.number(in: pause))) { [world] in world.handOver() }
        }
    }
}

extension World {
    /// Hands over the consumables of absent devices, as the store does every
    /// ten minutes.
    func handOver() {
        note("the store hands consumables over")
        order({ try await HandingOverConsumables($0.context)() { _ in } }) { _ in }
    }
}

extension Books {
    /// The consumables that no app has finished.
    fileprivate var unfinishedConsumables: [Debt] {
        let consumables = Set(charges.filter(\.isConsumable).map(\.transaction))
        return debts.filter { consumables.contains($0.transaction) }
    }
}
