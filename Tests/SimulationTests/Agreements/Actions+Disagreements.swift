// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The actions that show the planted mistakes of agreements: most of them need a
/// state that a world seldom reaches.
extension Actions {
    /// Sometimes takes the action whose effect the world's mistake changes.
    ///
    /// - Returns: Whether an action was taken.
    func provokeDisagreement() -> Bool {
        guard world.mistake != nil, chance.happens(400) else { return false }
        let (child, app) = (world.absent[2], Template.bundles[0])
        switch world.mistake {
        case .contactsAreSharedTwice:
            let customer = world.absent[5]
            customer.shop("large", of: app, sharesContact: true)
            customer.shop("paper", of: app, sharesContact: true)
        case .duePeriodsAreOverlooked:
            guard let code = world.codes.first(where: { $0.offer == Template.returning.name }) else { return false }
            let customer = world.absent[chance.happens(500) ? 5 : 0]
            if chance.happens(300) { customer.shop("monthly", of: app) }
            if chance.happens(300) { hurry(customer.account, for: 40_000) }
            if chance.happens(200) { world.store.pickNode()?.kill() }
            customer.use(code)
        case .closedAccountsPayBack:
            if chance.happens(300) { world.absent[5].shop("juice", of: app) }
            if chance.happens(300) { refund() }
            if chance.happens(100) { world.closeMember() }
            reverseRefund()
        case .declinedApprovalsWaitAgain:
            world.store.provider.lateness = 900
            world.store.provider.declines = 700
            child.shop("juice", of: app)
            world.absent[0].answerChild()
            if chance.happens(400) { world.changeMembers() }
        case .increasesAreHidden:
            raisePrice(of: chance.happens(500) ? "monthly" : "paper")
            let customer = world.absent[chance.happens(500) ? 5 : 0]
            customer.shop(chance.happens(500) ? "monthly" : "paper", of: app)
            if chance.happens(300) { pass(ClockDuration(months: 1), for: customer.account) }
        default:
            child.shop(chance.pick(Template.baskets) ?? "", of: app)
            world.absent[chance.number(in: 0..<2)].answerChild()
            if chance.happens(400) { child.manage() }
            if chance.happens(300) { pass(ClockDuration(days: 30), for: child.account) }
            if world.mistake == .leaversPay, chance.happens(200) { world.changeMembers() }
            if world.mistake == .barredAccountsPay, chance.happens(300) { world.absent[0].account.bar(for: 60_000) }
        }
        return true
    }
}
