// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreAgent
import StoreDomain
import StoreService
import StoreTestSupport

/// Shows a sheet to the customer of a device; sometimes it fails.
struct SimulatedPresenter: SheetPresenter {
    let world: World
    let device: SimulatedDevice
    let life: ProcessLife

    func present(_ sheet: URL) async throws {
        guard life.isAlive else { throw CancellationError() }
        if !world.isEnding, world.chance.happens(20) {
            world.note("\(life.name) can't show a sheet")
            throw AgentError(.sheet, "The page can't have been seen.")
        }
        let customer = SimulatedCustomer(world: world, device: device, sheet: sheet.lastPathComponent)
        customer.see()
        try await world.scheduler.sleep(milliseconds: Int64(world.chance.number(in: 10..<2000)))
        if !world.isEnding, world.chance.happens(20) {
            throw AgentError(.sheetProgram, "The browser has crashed.")
        }
    }
}

/// A customer's answer to one sheet.
struct SimulatedCustomer: Sendable {
    let world: World
    let device: SimulatedDevice
    let sheet: String

    private enum Press: Sendable { case look, cancel, close }

    func see() {
        let pause = world.chance.pause(200..<5000, long: 5000..<60_000)
        let mood = world.isEnding ? 999 : world.chance.number(in: 0..<1000)
        switch mood {
        case 0..<40: break  // The sheet expires.
        case 40..<80: press(.close, after: pause)
        case 80..<160: press(.cancel, after: pause)
        case 160..<220:
            // Press Buy in two tabs.
            press(.look, after: pause)
            press(.look, after: pause + Int64(world.chance.number(in: 0..<50)))
        case 220..<250:
            press(.look, after: pause)
            press(.cancel, after: pause + Int64(world.chance.number(in: 0..<50)))
        default: press(.look, after: pause)
        }
    }

    private func press(_ press: Press, after pause: Int64, tries: Int = 6) {
        world.scheduler.after(pause) {
            let customer = world.accounts[device.customer]
            world.note("the customer of \(device.name) presses \(press)")
            guard press == .look else {
                return world.ask({ service in
                    if press == .cancel {
                        try await service.cancelSheet(sheet)
                    } else {
                        try await service.closeSheet(sheet)
                    }
                }) { result in
                    if case .failure(let error) = result { again(press, error, tries) }
                }
            }
            let page = Page()
            world.ask({ service in
                let view = try await service.sheet(sheet, as: try await customer.signIn(service))
                if let refusal = view.refusal { throw refusal }
                page.view = view
            }) { result in
                if case .failure(let error) = result { return again(press, error, tries) }
                if page.view?.request.kind == .redemption { return redeem(page, as: customer, tries: tries) }
                confirm(page, as: customer, tries: tries)
            }
        }
    }

    /// The page that the customer has loaded.
    private final class Page: @unchecked Sendable {  // because only the scheduler's thread touches it
        var view: SheetView?
        /// The terms of the code that the customer has typed.
        var terms: CodeTerms?
        /// Whether the payment is under way after the confirmation.
        var waits = false
    }

    /// Confirms the purchase or the sign-in that the page shows.
    private func confirm(_ page: Page, as customer: SimulatedAccount, tries: Int) {
        guard let view = page.view else { return }
        if let price = view.price { world.witness.showed(price, for: view.request.identifier.rawValue) }
        // Sometimes the account moves after the page was loaded: its price is outdated then.
        let moves = world.mistake == .pagesForgetPrices || world.mistake == .movesAreForgotten
        // A member of a family can't move.
        if world.families == nil, moves || (!world.isEnding && world.chance.happens(10)) {
            customer.move(to: world.chance.happens(500) ? "USA" : "DEU")
        }
        world.scheduler.after(world.chance.pause(50..<1000, long: 1000..<20_000)) {
            let shown = world.mistake == .pagesForgetPrices ? nil : view.price
            world.note("the customer of \(device.name) confirms")
            world.ask({ service in
                let account = try await customer.signIn(service)
                if view.request.kind == .signIn {
                    try await service.signIn(onSheet: sheet, as: account)
                } else {
                    let request = try await service.buy(
                        onSheet: sheet, as: account, shown: shown.map { AgreedTerms(price: $0) })
                    page.waits = request.status == .processing
                }
            }) { result in
                if case .failure(let error) = result { return again(.look, error, tries) }
                // The bank is asked. The sheet is open again if it declines.
                if page.waits, tries > 0 {
                    press(.look, after: Int64(world.chance.number(in: 2000..<40_000)), tries: tries - 1)
                }
            }
        }
    }

    /// Types a code, and redeems it on the terms that the page shows then. In
    /// the end of a run no customer begins anything.
    private func redeem(_ page: Page, as customer: SimulatedAccount, tries: Int) {
        guard let request = page.view?.request, !world.isEnding,
            let code = world.chance.pick(world.codes.filter { $0.bundle == request.bundleIdentifier.rawValue })
        else { return press(.cancel, after: 1000) }
        world.note("the customer of \(device.name) types \(code.text)")
        world.ask({ service in
            page.terms = try await service.terms(
                of: code.text, onSheet: sheet, as: try await customer.signIn(service))
        }) { result in
            if case .failure(let error) = result { return again(.look, error, tries) }
            guard let terms = page.terms else { return }
            world.witness.showed(terms.price, for: request.identifier.rawValue)
            world.scheduler.after(world.chance.pause(50..<1000, long: 1000..<20_000)) {
                world.ask({ service in
                    let redeemed = try await service.redeem(
                        code.text, onSheet: sheet, as: try await customer.signIn(service),
                        shown: AgreedTerms(terms.shown))
                    page.waits = redeemed.status == .processing
                }) { result in
                    if case .failure(let error) = result { return again(.look, error, tries) }
                    if page.waits, tries > 0 {
                        press(.look, after: Int64(world.chance.number(in: 2000..<40_000)), tries: tries - 1)
                    }
                }
            }
        }
    }

    /// Handles an error that the page shows: the customer tries again or
    /// gives up.
    private func again(_ press: Press, _ error: any Error, _ tries: Int) {
        world.note("the page of \(device.name) says \(Self.code(error))")
        if let error = error as? DomainError {
            switch error.code {
            case .sheetUsed, .sheetExpired, .notFound, .invalid: return
            case .declined, .underWay:
                if world.chance.happens(400) { return self.press(.cancel, after: 1000) }
            default: break
            }
        }
        if tries > 0 { self.press(press, after: Int64(world.chance.number(in: 1000..<8000)), tries: tries - 1) }
    }

    private static func code(_ error: any Error) -> String {
        (error as? DomainError).map { "\($0.code)" } ?? "\(type(of: error))"
    }
}
