// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// What a sheet's page shows.
package struct SheetView: Sendable {
    package var environment: StoreEnvironment
    package var sheet: Sheet
    package var request: Request
    package var app: App
    /// With a payment: what is sold, and what all of it costs.
    package var product: Product?
    package var price: Money?
    package var storefront: Storefront
    /// Who the customer is, or else who is signed in on the device that asks.
    package var account: Account?
    /// Why it can't be answered any more.
    package var refusal: DomainError?
}

/// Loads sheets for the customer, and hears when a page was closed.
package struct ShowingSheet: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Loads a sheet, with the price of the customer's storefront if it is
    /// known who that is, else of the account on the device; a page that was
    /// closed a moment ago counts as opened again.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func callAsFunction(_ token: String, as customer: Account?, now: Instant) async throws -> SheetView {
        let view = try await database.read { [environment] connection in
            try Self.view(token, as: customer, now: now, environment, connection)
        }
        if view.refusal == nil, view.sheet.closing != view.sheet.expires {
            try await database.write { [environment] connection in
                try view.sheet.setClosing(view.sheet.expires, environment, connection)
            }
        }
        return view
    }

    /// The customer closed the page: unless it is opened again, the sheet ends soon.
    package func closed(_ token: String, now: Instant) async throws {
        try await database.write { [environment] connection in
            guard let sheet = try Sheet.find(token, environment, connection) else { throw Self.unknown }
            guard sheet.refusal(now: now) == nil else { return }
            try sheet.setClosing(min(sheet.expires, now + Sheet.closingPause), environment, connection)
        }
    }

    static let unknown = DomainError(.notFound, "There is no such page. Go back to the app and try again.")

    static func view(
        _ token: String, as customer: Account?, now: Instant, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> SheetView {
        guard let sheet = try Sheet.find(token, environment, connection),
            let request = try Request.find(sheet.requestIdentifier, of: sheet.device, environment, connection)
        else { throw unknown }
        let account = try customer ?? Device.signedInAccount(on: sheet.device, environment, connection)
        let storefront = account?.storefront ?? .unitedStates
        let product = try request.productIdentifier.flatMap {
            try Catalogue.product($0, of: request.bundleIdentifier, connection)
        }
        return SheetView(
            environment: environment, sheet: sheet, request: request,
            app: try Catalogue.app(request.bundleIdentifier, connection)
                ?? App(
                    bundleIdentifier: request.bundleIdentifier, name: App.name(of: request.bundleIdentifier)),
            product: product, price: product?.price(in: storefront).times(request.quantity), storefront: storefront,
            account: account, refusal: sheet.refusal(now: now))
    }
}
