// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

extension Control {
    /// Causes a notification by a history that fits it.
    package struct TriggerCall: Codable, Sendable {
        /// The type, with the subtype after a slash if it has one, as in
        /// `DID_RENEW/BILLING_RECOVERY`.
        package var type: String
        package var bundle: String
        /// The tester; a new one when absent.
        package var email: String?

        package init(type: String, bundle: String, email: String? = nil) {
            self.type = type
            self.bundle = bundle
            self.email = email
        }
    }

    /// The notification that was caused, and its tester.
    package struct TriggerAnswer: Codable, Sendable {
        package var email: String
        package var notification: NotificationAnswer
    }
}

extension StoreService {
    /// Carries out the call `trigger`.
    func controlTrigger(_ body: Data) async throws -> Data {
        let call = try decode(Control.TriggerCall.self, from: body, of: Control.Verb.trigger.rawValue)
        guard environment == .sandbox else {
            throw DomainError(.invalid, "Only the sandbox causes notifications for tests.")
        }
        guard let (kind, steps) = TriggerRecipe.all.first(where: { $0.key.name == call.type }) else {
            throw DomainError(
                .invalid,
                "There is no notification \(call.type.prefix(64)). These are: \(TriggerRecipe.names.joined(separator: ", "))."
            )
        }
        let bundle = BundleIdentifier(call.bundle)
        try await requireApp(bundle)
        guard let app = try await FindingApp(context)(bundle) else {
            throw DomainError(.notFound, "The store has no app \(bundle).")
        }
        guard try await ListeningToNotifications(context).hasReceiver(of: bundle) else {
            throw DomainError(
                .invalid,
                """
                Nothing receives notifications of version 2 of \(bundle): run storectl notifications listen, or add \
                an address.
                """)
        }
        let email = call.email ?? "tester-\(context.random.hexadecimal(bytes: 4))@example.com"
        if call.email == nil { try await addTester(email, in: .unitedStates) }
        let storefront = try await account(email).storefront
        let products = TriggerProducts(
            try await ReadingProducts(context)(of: bundle), sold: storefront, for: steps)
        var triggering = try await Triggering(
            kind, in: app, email: email, storefront: storefront, products: products, service: self)
        let notification: String
        do {
            notification = try await triggering.run(steps)
        } catch {
            // The history's own error says more.
            try? await triggering.restore(steps)
            throw error
        }
        try await triggering.restore(steps)
        return try encode(
            Control.TriggerAnswer(
                email: email,
                notification: Control.NotificationAnswer(try await ListingNotifications(context).find(notification))))
    }

    /// Adds a tester whose password no one knows.
    func addTester(_ email: String, in storefront: Storefront) async throws {
        let call = Control.NewAccountCall(
            email: email, password: context.random.hexadecimal(bytes: 16), storefront: storefront.countryCode)
        _ = try await control(.addAccount, try encode(call))
    }
}
