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
        // Streams that break begin again at the positions of the journals.
        case .joiningAppsTakePositions, .switchesLoseEvents: world.network.trouble = 0
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
        case .joiningAppsTakePositions: device.isLeavingBehind || take(150) { leaveBehind(on: device) }
        case .switchesLoseEvents: take(200) { moveAndBuy(on: app) }
        default: false
        }
    }

    /// Lets the daemon open two apps of a device of which one has missed the
    /// move of its account to another country.
    private func leaveBehind(on device: SimulatedDevice) {
        guard let daemon = device.daemon, device.bundles.count > 1 else { return }
        let (listening, behind) = (device.bundles[0], device.bundles[1])
        device.isLeavingBehind = true
        daemon.kill()
        for app in device.processes where app.bundle == behind { device.kill(app) }
        if !device.processes.contains(where: { $0.bundle == listening }) { device.launch(listening) }
        world.scheduler.after(2000) { moveCustomer(of: device) }
        world.scheduler.after(6000) {
            for app in device.processes { device.kill(app) }
            daemon.start()
            device.isLeavingBehind = false
        }
    }

    /// Moves the account of a device to another country, with an event that
    /// nothing repeats, and buys something, with an event behind it.
    private func moveAndBuy(on app: SimulatedApp) {
        moveCustomer(of: app.device)
        world.scheduler.after(2000) { app.buy("seed", quantity: 1) }
    }

    private func moveCustomer(of device: SimulatedDevice) {
        world.accounts[device.customer].moveOn()
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
