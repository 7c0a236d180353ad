// SPDX-License-Identifier: Apache-2.0

/// The steps of a new app up to its first purchase, and the objects that show
/// how far it is.
package struct AppChecklist: Sendable {
    /// A step, in the order in which a developer takes them.
    package enum Step: String, CaseIterable, Hashable, Sendable {
        case app, product, sold, tester, request, purchase, finish
        /// It isn't needed for a purchase.
        case notifications
    }

    package var app: AppRegistration
    package var hasProducts = false
    /// A product that is sold.
    package var sold: ProductRegistration?
    /// The first product that isn't sold.
    package var unsold: ProductRegistration?
    package var hasTester = false
    /// Whether the app has an address for notifications.
    package var hasAddress = false
    /// The newest payment that a device has asked for in the sandbox.
    package var request: DeviceRequest?
    /// The newest purchase.
    package var purchase: Purchase?
    /// The newest purchase that the app has finished.
    package var finished: Purchase?

    init(app: AppRegistration) {
        self.app = app
    }

    /// The steps that an environment has. A production has no testers, and no
    /// list of its devices' requests.
    package static func steps(of environment: StoreEnvironment) -> [Step] {
        Step.allCases.filter { environment == .sandbox || ![.tester, .request].contains($0) }
    }

    package func isDone(_ step: Step) -> Bool {
        switch step {
        case .app: true
        case .product: hasProducts
        case .sold: sold != nil
        case .tester: hasTester
        case .request: request != nil || purchase != nil
        case .purchase: purchase != nil
        case .finish: finished != nil
        case .notifications: hasAddress
        }
    }

    /// Whether every step that a purchase needs is done.
    package func isComplete(in environment: StoreEnvironment) -> Bool {
        Self.steps(of: environment).allSatisfy { $0 == .notifications || isDone($0) }
    }
}
