// SPDX-License-Identifier: Apache-2.0

/// The actions and conditions that show a planted mistake. Most mistakes show
/// in nearly every world; the others would be searched for in dozens of them.
extension Actions {
    /// Draws the rates of faults at which the world's mistake shows.
    func favourMistake() {
        let provider = world.store.provider
        switch world.mistake {
        case .leasesAreIgnored, .renewalLeasesAreIgnored: provider.lateness = 600
        case .lateAnswersAreBelieved: (provider.lateness, provider.contradictions) = (900, 600)
        case .valuesAreRepeated, .hintsAreNotStored: world.network.trouble = 250
        case .codesAreNotGivenBack: provider.declines = 500
        default: break
        }
    }

    /// Sometimes takes the action whose effect the world's mistake changes.
    ///
    /// - Returns: Whether an action was taken.
    func provokeMistake(on device: SimulatedDevice, _ app: SimulatedApp) -> Bool {
        switch world.mistake {
        case .valuesAreRepeated: take(400) { useKeyValues(on: app) }
        case .restrictionsAreIgnored: take(150) { restrict(device) }
        case .removalsAreOverlooked: take(150) { device.removeReceipt(of: app.bundle) }
        case .authorisationsAreKept: take(500) { turnOffPaidRenewal() }
        case .renewalsReachOneDevice: take(100) { device.customer = 0 }
        case .renewalLeasesAreIgnored: take(400) { moveToNextSteps() }
        case .codesAreNotCounted, .codesAreNotGivenBack: take(300) { redeem() }
        case .introductionsAreRepeated: take(400) { subscribeAgain() }
        case .consentIsAssumed: take(400) { outlastNotice() }
        case .offersNeverEnd: take(400) { outlastOffer() }
        case .refundsAreNotPaged: take(100) { refund() }
        default: false
        }
    }

    /// Turns off a renewal that is paid already, or moves clocks so that one
    /// is.
    private func turnOffPaidRenewal() {
        let subscriptions = (try? Books(world))?.subscriptions ?? []
        guard let subscription = subscriptions.first(where: { History($0).authorised != nil }),
            let account = account(of: subscription)
        else { return moveToNextSteps() }
        account.setRenewal(false, of: subscription)
    }

    private func take(_ rate: Int, _ action: () -> Void) -> Bool {
        guard chance.happens(rate) else { return false }
        action()
        return true
    }
}
