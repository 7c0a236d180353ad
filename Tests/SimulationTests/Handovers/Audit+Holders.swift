// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// Checks of the consumables: of the devices that had each of them, and of its
/// end.
extension Audit {
    private var holders: HolderWitness { world.holders }

    /// Each consumable that was charged went to its buyer, from there to the
    /// devices that it was handed over to and to no other one, and was
    /// finished by an app of one of them or refunded.
    func consumablesHaveOneHolder() {
        // No app finishes the purchases of a world of pages.
        guard world.agreements == nil else { return }
        let charged = Set(books.charges.filter(\.isConsumable).map(\.transaction))
        for transaction in charged.subtracting(holders.consumables.keys).sorted() {
            witness.complain("\(transaction) was charged, and no event has added it to a queue")
        }
        for transaction in Set(holders.consumables.keys).subtracting(charged).sorted() {
            witness.complain("\(transaction) was in a queue, and was never charged")
        }
        if holders.handedOver != books.handedOver {
            let (seen, written) = (holders.handedOver.sorted(), books.handedOver.sorted())
            witness.complain("the devices have handed over \(seen), and the store has recorded \(written)")
        }
        for (transaction, consumable) in holders.consumables.sorted(by: { $0.key < $1.key }) {
            ends(transaction, consumable)
            isOnlyWithHolders(transaction, consumable)
        }
        for delivery in holders.deliveries { isInTime(delivery) }
        for finish in witness.finishes { isOfHolder(finish) }
    }

    /// The places of the devices that have had a consumable.
    func places(of consumable: HolderWitness.Consumable) -> Set<Place> {
        let devices = Set(consumable.holders.map(\.device))
        return Set(
            world.devices.filter { devices.contains($0.identifier ?? "") }.map { $0.place(of: consumable.bundle) })
    }

    /// Whether the app of a device that had a consumable before another one
    /// has finished it. The store learns that late, and may have removed the
    /// consumable from the receipt before the other device shows it.
    func isFinishedByFormerHolder(_ transaction: String) -> Bool {
        guard let consumable = holders.consumables[transaction], let finishers = holders.finishers[transaction],
            let last = consumable.holders.last?.device
        else { return false }
        let former = places(of: consumable).filter { place in
            world.devices.contains { $0.name == place.device && $0.identifier != last }
        }
        return !former.isDisjoint(with: finishers)
    }

    private func ends(_ transaction: String, _ consumable: HolderWitness.Consumable) {
        switch consumable.end {
        case nil: witness.complain("\(transaction) has no end, and no device has it")
        case "finished":
            if places(of: consumable).isDisjoint(with: holders.finishers[transaction] ?? []) {
                witness.complain("\(transaction) has left the queues, and no app that had it has finished it")
            }
        default: break
        }
    }

    private func isOnlyWithHolders(_ transaction: String, _ consumable: HolderWitness.Consumable) {
        let places = places(of: consumable)
        let others = witness.purchased.filter { !places.contains($0.key) && $0.value.contains(transaction) }
        for place in others.keys.map(\.description).sorted() {
            witness.complain("\(transaction) was delivered by \(place), which never had it")
        }
    }

    /// A device that has received the event after which another device has a
    /// consumable, or none, delivers it no more.
    private func isInTime(_ delivery: HolderWitness.Delivery) {
        guard let consumable = holders.consumables[delivery.transaction], consumable.end != "revoked",
            consumable.account == delivery.position.account
        else { return }
        let times = holdings(of: consumable, at: delivery.place)
        if !times.isEmpty, times.allSatisfy({ $0.until.map { $0 <= delivery.position.number } ?? false }) {
            let (place, number) = (delivery.place, delivery.position.number)
            witness.complain("\(delivery.transaction) was delivered by \(place), which had received event \(number)")
        }
    }

    /// A device that has received the event after which another device has a
    /// consumable shows it no more.
    private func isOfHolder(_ finish: Witness.Finish) {
        guard let consumable = holders.consumables[finish.transaction],
            [finish.told.account, finish.finished.account] == [consumable.account, consumable.account]
        else { return }
        let times = holdings(of: consumable, at: finish.place)
        guard times.count == 1, let until = times[0].until, finish.told.number < until,
            until <= finish.finished.number
        else { return }
        witness.complain("\(finish.transaction) was in the queue of \(finish.place) after event \(until)")
    }

    private func holdings(of consumable: HolderWitness.Consumable, at place: Place) -> [HolderWitness.Holder] {
        guard let device = world.devices.first(where: { $0.name == place.device })?.identifier else { return [] }
        return consumable.holders.filter { $0.device == device }
    }
}
