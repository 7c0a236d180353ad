// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport

/// A customer whose device asks for subscriptions and is switched off then:
/// the store renews them alone.
final class AbsentCustomer: @unchecked Sendable {  // because only the scheduler's thread touches it
    let account: SimulatedAccount
    let device: DeviceCredentials
    unowned let world: World

    init(_ account: Account, _ device: DeviceCredentials, _ world: World) {
        self.account = SimulatedAccount(account, world)
        self.device = device
        self.world = world
    }

    /// Whether a device is this customer's.
    func has(_ device: String) -> Bool { self.device.identifier == device }

    /// Buys a subscription, with a promotional offer if one is given, and
    /// tries again after a failure.
    func buy(_ product: String, of bundle: String, discount: DiscountInfo? = nil) {
        let call = PaymentCall(
            requestIdentifier: newRequest(), bundleIdentifier: bundle, productIdentifier: product, quantity: 1,
            discount: discount)
        send(call, tries: 8)
    }

    func newRequest() -> String {
        let name = String(world.scheduler.newName(), radix: 16)
        return String(repeating: "0", count: 32 - name.count) + name
    }

    /// Redeems a code, and tries again after a failure.
    func redeem(_ code: OfferedPlans.Code) {
        redeem(code, RedemptionCall(requestIdentifier: newRequest(), bundleIdentifier: code.bundle), tries: 8)
    }

    private func redeem(_ code: OfferedPlans.Code, _ call: RedemptionCall, tries: Int) {
        world.note("\(account.account.email) redeems \(code.text) of \(code.bundle)")
        world.ask({ [device, account] service in
            let answer = try await LocalStoreConnection(service).call(call, as: device)
            guard let token = Self.token(of: answer.sheet) else { return }
            do {
                let terms = try await service.terms(of: code.text, onSheet: token, as: account.account)
                _ = try await service.redeem(
                    code.text, onSheet: token, as: account.account, shown: AgreedTerms(terms.shown))
            } catch let error as DomainError where Self.refusals.contains(error.code) {
                try await service.cancelSheet(token)
            }
        }) { [self] result in
            guard case .failure = result, tries > 0 else { return }
            world.scheduler.after(Int64(world.chance.number(in: 1000..<8000))) { [self] in
                redeem(code, call, tries: tries - 1)
            }
        }
    }

    /// The token at the end of a sheet's address.
    static func token(of sheet: String?) -> String? { sheet?.split(separator: "/").last.map(String.init) }

    /// The errors after which a customer gives a code up.
    private static let refusals: Set<DomainError.Code> = [
        .declined, .codeUsed, .codeRedeemed, .codeNotEligible, .codeExpired, .codeUnknown,
    ]

    private func send(_ call: PaymentCall, tries: Int) {
        world.note("\(account.account.email) buys \(call.productIdentifier) of \(call.bundleIdentifier)")
        world.ask({ [device, account] service in
            let answer = try await LocalStoreConnection(service).call(call, as: device)
            guard let token = Self.token(of: answer.sheet) else { return }
            do {
                _ = try await service.buy(onSheet: token, as: account.account, shown: nil)
            } catch let error as DomainError where error.code == .declined {
                try await service.cancelSheet(token)
            }
        }) { [self] result in
            guard case .failure = result, tries > 0 else { return }
            world.scheduler.after(Int64(world.chance.number(in: 1000..<8000))) { [self] in
                send(call, tries: tries - 1)
            }
        }
    }
}
