// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreAgent
import StoreAssembly
import StoreDomain

/// The actions of a world with offers, codes and rising prices.
extension Actions {
    func useOffers(on app: SimulatedApp) {
        switch chance.number(in: 0..<100) {
        case 0..<20: redeem()
        case 20..<34: raceForWord()
        case 34..<48: buyPromotion()
        case 48..<56: buyPromotion(on: app)
        case 56..<64: app.redeem()
        case 64..<80: raisePrice(of: chance.pick(OfferedPlans.rises.keys.sorted()) ?? "")
        default: answerIncrease()
        }
    }

    /// A customer redeems a code.
    func redeem() {
        if let customer = chance.pick(world.absent), let code = chance.pick(world.codes) { customer.redeem(code) }
    }

    /// Some customers redeem the same word at nearly the same time.
    private func raceForWord() {
        guard let code = chance.pick(world.codes.filter { $0.limit > 1 }) else { return }
        for _ in 0..<chance.number(in: 2..<5) {
            guard let customer = chance.pick(world.absent) else { continue }
            world.scheduler.after(Int64(chance.number(in: 0..<50))) { customer.redeem(code) }
        }
    }

    /// A customer pays with a promotional offer, on a device that is switched
    /// off then, or in an app.
    private func buyPromotion(on app: SimulatedApp? = nil) {
        guard let offer = chance.pick(OfferedPlans.promotions), let customer = chance.pick(world.absent) else { return }
        let bundle = app?.bundle ?? chance.pick(Template.bundles) ?? ""
        let discount = try? OfferedPlans.sign(
            offer, of: bundle, number: world.scheduler.newName(), now: world.scheduler.now)
        if let app {
            app.buy(offer.product, quantity: 1, discount: discount)
        } else {
            customer.buy(offer.product, of: bundle, discount: discount)
        }
    }

    /// The seller sets the next price of a product, now or a little later.
    func raisePrice(of product: String) {
        guard let bundle = chance.pick(Template.bundles), !world.changingPrices.contains("\(product) of \(bundle)"),
            let price = Books.prices(of: bundle, world)[product],
            let rise = OfferedPlans.rises[product]?.first(where: { $0.price > price })
        else { return }
        let isScheduled = chance.happens(400)
        let starts = isScheduled ? world.scheduler.now + Int64(chance.number(in: 5000..<60_000)) : nil
        world.note("\(product) of \(bundle) is to cost \(rise.price)")
        world.changingPrices.insert("\(product) of \(bundle)")
        if rise.subscribers == .change, rise.consent == .told {
            world.agreements?.subscribersAreInformed(of: rise.price, of: product, bundle)
        }
        let order = SchedulingPriceChange.Order(
            ProductIdentifier(product), of: BundleIdentifier(bundle),
            price: Money(milliunits: rise.price, currency: "USD").decimal,
            starts: starts.map(WallTime.init(milliseconds:)), subscribers: rise.subscribers, consent: rise.consent)
        world.order({ _ = try await SchedulingPriceChange($0.context)(order) }) { [world] result in
            if case .failure(let error) = result, (error as? ConnectionFailure)?.reach != .notSent { return }
            world.changingPrices.remove("\(product) of \(bundle)")
        }
    }

    /// A customer answers to a higher price.
    private func answerIncrease() {
        guard let subscription = chance.pick(undecided), let account = account(of: subscription) else { return }
        account.answerIncrease(agrees: chance.happens(600), of: subscription)
    }

    /// The subscriptions whose customers have to agree to a higher price.
    private var undecided: [Books.Subscription] {
        let subscriptions = (try? Books(world))?.subscriptions ?? []
        return subscriptions.filter { PriceHistory($0, isInRealTime: false).increase?.isUndecided == true }
    }
}

/// The actions that show planted mistakes.
extension Actions {
    /// A customer who has had an introductory offer ends the subscription, or
    /// begins it again.
    func subscribeAgain() {
        let subscriptions = (try? Books(world))?.subscriptions ?? []
        let introduced = subscriptions.filter { PriceHistory($0, isInRealTime: false).introductions > 0 }
        guard let subscription = chance.pick(introduced),
            let customer = world.absent.first(where: { $0.account === account(of: subscription) })
        else { return }
        if History(subscription).isRunning { return customer.account.expire(subscription) }
        customer.buy(subscription.group == "BASKETS" ? "monthly" : "paper", of: subscription.bundle)
    }

    /// Lets the time of a customer pass who hasn't agreed to a higher price,
    /// or raises prices.
    func outlastNotice() {
        guard let subscription = undecided.first, let account = account(of: subscription) else {
            return raisePrice(of: chance.happens(500) ? "monthly" : "paper")
        }
        account.moveInRealTime(by: ClockDuration(months: 2))
    }

    /// Lets the time of a customer pass who has a cheap period, or buys one.
    func outlastOffer() {
        let subscriptions = (try? Books(world))?.subscriptions ?? []
        let offered = subscriptions.filter { History($0).periods.last?.period.offer?.mode == "payAsYouGo" }
        guard let subscription = chance.pick(offered), let account = account(of: subscription) else {
            chance.pick(world.absent)?.buy("large", of: chance.pick(Template.bundles) ?? "")
            return
        }
        account.moveInRealTime(by: ClockDuration(months: 3))
    }
}

extension SimulatedApp {
    /// Shows the sheet on which the customer redeems a code.
    func redeem() {
        guard life.isAlive else { return }
        do {
            try agent.presentCodeRedemption()
            device.world.note("\(life.name) shows the sheet of codes")
        } catch {
            device.world.note("\(life.name) can't show the sheet of codes")
        }
    }
}

extension SimulatedAccount {
    /// Agrees to the higher price of a subscription, or refuses it.
    func answerIncrease(agrees: Bool, of subscription: Books.Subscription) {
        world.note(
            "\(account.email) \(agrees ? "agrees to" : "refuses") the price of \(subscription.original.suffix(6))")
        let original = OriginalTransactionIdentifier(subscription.original)
        world.order({ [account] in
            let answering = AnsweringPriceIncrease($0.context)
            if agrees {
                try await answering.agree(original, account: account.identifier)
            } else {
                try await answering.decline(original, account: account.identifier)
            }
        }) { _ in }
    }
}
