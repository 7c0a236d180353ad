// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The actions of a world of subscriptions.
extension Actions {
    /// Sells subscriptions, and moves the clocks of their accounts.
    func playSubscriptions(moves: Int) {
        for customer in world.absent {
            for products in [Template.baskets, Template.papers] {
                for bundle in Template.bundles where chance.happens(900) {
                    world.scheduler.after(Int64(chance.number(in: 0..<10_000))) { [world] in
                        customer.buy(world.chance.pick(products) ?? "", of: bundle)
                    }
                }
            }
        }
        while !world.isFound, world.clockMoves < moves {
            subscribe()
            if world.transactions != nil { useTransactions() }
            world.pass(chance.pause(10..<1500, long: 1500..<20_000, isLong: 60))
        }
        world.pass(Int64(chance.number(in: 0..<30_000)))
    }

    private func subscribe() {
        guard let device = chance.pick(world.devices) else { return }
        guard let app = chance.pick(device.processes) else {
            for bundle in device.bundles { device.launch(bundle) }
            return
        }
        if provokeMistake(on: device, app) { return }
        if world.sellsOffers, chance.happens(300) { return useOffers(on: app) }
        switch chance.number(in: 0..<1000) {
        case 0..<400: app.buy(chance.pick(Template.baskets + Template.papers) ?? "", quantity: 1)
        case 400..<440: app.buy("juice", quantity: 1)
        case 440..<600: moveClocks()
        case 600..<640: manage()
        case 640..<660: refund()
        case 660..<675: app.restore()
        case 675..<685: app.refresh()
        case 685..<690: app.signOut()
        case 690..<730: device.customer = chance.number(in: 0..<world.accounts.count)
        case 730..<760: if let bundle = chance.pick(device.bundles) { launch(bundle, on: device) }
        case 760..<770: device.kill(app)
        case 770..<870: bringBadLuck(to: device, app)
        case 870..<920: world.stepsUntilEnd = chance.number(in: 0..<20)
        case 920..<930: world.network.trouble = [0, 40, 120, 250][chance.number(in: 0..<4)]
        case 930..<960: world.store.provider.declines = [0, 60, 300, 1000][chance.number(in: 0..<4)]
        case 960..<970: world.decide()
        case 970..<974: sleep()
        case 974..<980:
            if let customer = chance.pick(world.absent) {
                customer.buy(
                    chance.pick(Template.baskets + Template.papers) ?? "", of: chance.pick(Template.bundles) ?? "")
            }
        default: changeRules(for: device, app)
        }
    }

    /// The accounts of all customers.
    private var accounts: [SimulatedAccount] { world.accounts + world.absent.map(\.account) }

    func account(of subscription: Books.Subscription) -> SimulatedAccount? { world.account(of: subscription) }

    private func sleep() {
        if !accounts.contains(where: { $0.isHurried || $0.mayHurryLater }) {
            world.sleep(days: chance.number(in: 1..<8))
        }
    }

    /// Moves the clocks of some accounts at a time.
    private func moveClocks() {
        if chance.happens(200), let account = chance.pick(world.accounts) { return move(account) }
        for _ in 0..<chance.number(in: 1..<5) {
            if let customer = chance.pick(world.absent) { move(customer.account) }
        }
    }

    /// Moves the clocks of some accounts to the next moment at which the store
    /// has something to do.
    func moveToNextSteps() {
        for _ in 0..<3 { chance.pick(accounts)?.move(.toNextStep) }
    }

    /// Moves an account's clock by hours, weeks or months, or sets the speed
    /// of its renewals.
    private func move(_ account: SimulatedAccount) {
        let speeds: [RenewalSpeed] = [.every10Seconds, .every1Minute, .monthIn30Seconds]
        switch chance.number(in: 0..<(account.isHurried ? 15 : 100)) {
        case 0..<15: account.move(.toNextStep)
        case 15..<30: account.moveInRealTime(by: ClockDuration(seconds: chance.number(in: 1..<200_000)))
        case 30..<60: account.moveInRealTime(by: ClockDuration(days: chance.number(in: 1..<40)))
        case 60..<90: account.moveInRealTime(by: ClockDuration(months: chance.number(in: 1..<8)))
        default:
            account.hurry(chance.pick(speeds) ?? .every10Seconds, for: Int64(chance.number(in: 10_000..<60_000)))
        }
    }

    /// Changes a subscription, on the page of its account or as an operator or
    /// a test.
    private func manage() {
        guard let books = try? Books(world), let subscription = chance.pick(books.subscriptions),
            let account = account(of: subscription)
        else { return }
        switch chance.number(in: 0..<100) {
        case 0..<35: account.setRenewal(false, of: subscription)
        case 35..<55: account.setRenewal(true, of: subscription)
        case 55..<80:
            let products = subscription.group == "BASKETS" ? Template.baskets : Template.papers
            account.choose(chance.pick(products) ?? "", of: subscription)
        case 80..<88: account.extend(subscription, days: chance.number(in: 1..<30))
        case 88..<95: account.renewNow(subscription)
        default: account.expire(subscription)
        }
    }
}
