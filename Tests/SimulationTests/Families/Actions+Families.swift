// SPDX-License-Identifier: Apache-2.0

import StoreAssembly
import StoreDomain
import StoreService

/// The actions of a world of families.
extension Actions {
    private static let products = ["apple", "pear", "juice", "seed"]

    /// A child asks, parents answer, and members leave and come back.
    func playFamilies(payments: Int) {
        while !world.isFound, world.witness.payments.count < payments {
            live()
            world.pass(chance.pause(10..<1500, long: 1500..<30_000, isLong: 60))
        }
        world.pass(Int64(chance.number(in: 0..<60_000)))
    }

    private func live() {
        guard let device = chance.pick(world.devices) else { return }
        guard let app = chance.pick(device.processes) else {
            for bundle in device.bundles { device.launch(bundle) }
            return
        }
        switch chance.number(in: 0..<1000) {
        case 0..<330: app.buy(chance.pick(Self.products) ?? "", quantity: 1)
        case 330..<480: world.answerChildren()
        case 480..<530: world.changeFamily()
        case 530..<555: refund()
        case 555..<575: app.restore()
        case 575..<585: app.signOut()
        case 585..<640: device.customer = chance.number(in: 0..<world.accounts.count)
        case 640..<680: launch(app.bundle, on: device)
        case 680..<730: device.kill(app)
        case 730..<880: bringBadLuck(to: device, app)
        case 880..<940: world.stepsUntilEnd = chance.number(in: 0..<20)
        default: world.network.trouble = [0, 40, 120, 250, 500][chance.number(in: 0..<5)]
        }
    }
}

extension World {
    /// Answers the requests to buy: a parent those of the family, and the
    /// operator those of a child that has left it.
    func answerChildren() {
        guard let families, let books = try? Books(self) else { return }
        for request in books.undecided {
            let asker = books.askers[request] ?? ""
            let parents = accounts.dropLast().filter {
                let account = $0.account.identifier.rawValue
                return account != asker && books.family.contains(account)
            }
            let isApproved = isEnding || chance.happens(700)
            guard books.family.contains(asker), let parent = chance.pick(Array(parents))?.account else {
                if isApproved { families.approves(request, asker) }
                answer(request, isApproved)
                continue
            }
            if isApproved { families.approves(request, parent.identifier.rawValue) }
            note("\(request.suffix(6)) is \(isApproved ? "approved" : "declined") by \(parent.email)")
            ask({ service in
                if isApproved {
                    _ = try await service.approve(TransactionIdentifier(request), by: parent, shown: nil)
                } else {
                    try await service.decline(TransactionIdentifier(request), by: parent)
                }
            }) { _ in }
        }
    }

    private func answer(_ request: String, _ isApproved: Bool) {
        note("\(request.suffix(6)) is \(isApproved ? "approved" : "declined") by the operator")
        ask({ service in
            if isApproved {
                try await service.approve(TransactionIdentifier(request))
            } else {
                try await service.decline(TransactionIdentifier(request))
            }
        }) { _ in }
    }

    /// Takes the second parent or the child out of the family, or brings one
    /// back.
    func changeFamily() {
        guard let organiser = accounts.first?.account.email, let member = chance.pick(Array(accounts.dropFirst()))
        else { return }
        let email = member.account.email
        let role: FamilyMember.Role = member === accounts.last ? .child : .parent
        let leaves = chance.happens(400)
        note("\(email) \(leaves ? "leaves" : "joins") the family")
        order({ store in
            let changing = ChangingFamily(store.context)
            if leaves {
                _ = try await changing.remove(email)
            } else {
                _ = try await changing.add(email, as: role, organiser: organiser)
            }
        }) { _ in }
    }
}
