// SPDX-License-Identifier: Apache-2.0

/// The actions of apps that use StoreKit 2.
extension Actions {
    /// Buys products by either API, and reads the lists of StoreKit 2 meanwhile.
    func playTransactions(payments: Int) {
        while !world.isFound, world.witness.payments.count < payments {
            act()
            if world.changesDevices { changeDevices() }
            useTransactions()
            world.pass(chance.pause(10..<1500, long: 1500..<60_000, isLong: 60))
        }
        world.pass(Int64(chance.number(in: 0..<60_000)))
    }

    /// Sometimes lets an app read or compare its lists, listen, or listen no
    /// more.
    func useTransactions() {
        guard let app = chance.pick(world.devices.flatMap(\.processes)), let transactions = app.transactions else {
            return
        }
        switch chance.number(in: 0..<100) {
        case 0..<10: transactions.readEntitlements()
        case 10..<18: transactions.readUnfinished()
        case 18..<24: transactions.compare()
        case 24..<28 where transactions.listeners.count < 4: transactions.listen()
        case 28..<31: transactions.stopListening()
        case 31..<34: world.decide()
        case 34..<37: refund()
        default: break
        }
    }
}
