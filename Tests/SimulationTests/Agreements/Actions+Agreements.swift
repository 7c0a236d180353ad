// SPDX-License-Identifier: Apache-2.0

import StoreAssembly
import StoreDomain
import StoreService

/// The actions of a world of agreements.
extension Actions {
    /// Members buy, ask, answer and choose, families change, accounts are
    /// restricted and closed, prices rise, and time passes, a number of times.
    func playAgreements(acts: Int) {
        for _ in 0..<acts where !world.isFound {
            if !provokeDisagreement() { live() }
            world.pass(chance.pause(10..<1500, long: 1500..<30_000, isLong: 80))
        }
        world.pass(Int64(chance.number(in: 0..<60_000)))
    }

    private var member: AbsentCustomer? { chance.pick(world.absent) }
    private var bundle: String { Template.bundles[chance.happens(700) ? 0 : 1] }

    private func live() {
        switch chance.number(in: 0..<1000) {
        case 0..<250: shop()
        case 250..<420: member?.answerChild()
        case 420..<540: member?.manage()
        case 540..<580: if let code = chance.pick(world.codes) { member?.use(code) }
        case 580..<600: raisePrice(of: chance.pick(OfferedPlans.rises.keys.sorted()) ?? "")
        case 600..<640: world.changeMembers()
        case 640..<665: restrict()
        case 665..<669: world.closeMember()
        case 669..<690: refund()
        case 690..<705: reverseRefund()
        case 705..<850: moveTime()
        case 850..<930: bringBadLuckToStore()
        case 930..<955: world.store.provider.declines = [0, 60, 300, 1000][chance.number(in: 0..<4)]
        case 955..<975: world.store.provider.lateness = [0, 150, 500][chance.number(in: 0..<3)]
        case 975..<990: world.network.trouble = [0, 40, 120, 250][chance.number(in: 0..<4)]
        default: world.stepsUntilEnd = chance.number(in: 0..<20)
        }
    }

    private func shop() {
        let product = chance.pick(Template.baskets + Template.papers + ["juice", "apple"]) ?? ""
        member?.shop(product, of: bundle, sharesContact: chance.happens(400), acceptsRunning: chance.happens(500))
    }

    private func restrict() { member?.account.bar(for: chance.pause(1000..<10_000, long: 10_000..<90_000)) }

    /// Moves the time of a member, which is that of its family.
    private func moveTime() {
        guard let account = member?.account else { return }
        switch chance.number(in: 0..<100) {
        case 0..<20: account.move(.toNextStep)
        case 20..<35: pass(ClockDuration(seconds: chance.number(in: 1..<200_000)), for: account)
        case 35..<65: pass(ClockDuration(days: chance.number(in: 1..<40)), for: account)
        case 65..<90: pass(ClockDuration(months: chance.number(in: 1..<5)), for: account)
        default: hurry(account, for: Int64(chance.number(in: 10_000..<60_000)))
        }
    }

    /// Moves an account's time, unless the renewals of a family are hurried: a
    /// month would be thousands of them.
    func pass(_ duration: ClockDuration, for account: SimulatedAccount) {
        let isHurried = world.absent.contains { $0.account.isHurried || $0.account.mayHurryLater }
        if isHurried { account.move(.toNextStep) } else { account.moveInRealTime(by: duration) }
    }

    /// Hurries the renewals of an account's family, unless a time that is moved
    /// may still arrive.
    func hurry(_ account: SimulatedAccount, for milliseconds: Int64) {
        guard !world.absent.contains(where: \.account.isMoving) else { return }
        account.hurry(.every10Seconds, for: milliseconds)
    }

    private func bringBadLuckToStore() {
        switch chance.number(in: 0..<100) {
        case 0..<30: world.store.pickNode()?.kill()
        case 30..<45: world.store.losePower()
        case 45..<75: world.store.pick()?.life.end(afterChanges: chance.number(in: 0..<60))
        case 75..<90: world.store.disk.fail(afterChanges: chance.number(in: 0..<80))
        default: fill("the store") { world.store.setFull($0) }
        }
    }
}

extension World {
    /// Answers the requests that wait in the end: a parent those of the family,
    /// and the operator, who declines them, those of an account without one.
    func answerMembers() {
        for member in absent { member.answerChild() }
        guard isEnding, let books = try? Books(self) else { return }
        for request in books.undecided where !books.family.contains(books.askers[request] ?? "") {
            ask({ try await $0.decline(TransactionIdentifier(request)) }) { _ in }
        }
    }

    /// Takes a member out of its family, brings one into a family, or lets a
    /// child grow up.
    func changeMembers() {
        let member = chance.number(in: 0..<absent.count)
        let email = absent[member].account.account.email
        let organiser = absent[chance.happens(700) ? 0 : 3].account.account.email
        let isChild = member == 2 || member == 4
        let act = chance.number(in: 0..<100)
        note("\(email): \(act < 45 ? "leaves its family" : act < 90 ? "joins \(organiser)" : "changes its role")")
        order({ store in
            let changing = ChangingFamily(store.context)
            switch act {
            case 0..<45: _ = try await changing.remove(email)
            case 45..<90: _ = try await changing.add(email, as: isChild ? .child : .parent, organiser: organiser)
            default: _ = try await changing.setRole(isChild && act < 95 ? .parent : .child, of: email)
            }
        }) { _ in }
    }

    /// Closes an account, of which each world keeps the organisers'.
    func closeMember() {
        let email = absent[[1, 2, 4, 5][chance.number(in: 0..<4)]].account.account.email
        note("\(email) is closed")
        order({ try await ClosingAccount($0.context)(email: email) }) { _ in }
    }
}
