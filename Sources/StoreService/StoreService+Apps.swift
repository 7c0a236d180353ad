// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The apps and products that teams register in Connect.
extension StoreService {
    /// The use cases that read apps and products.
    package var appReader: ReadingApps { ReadingApps(context) }

    /// The steps of an app up to its first purchase.
    ///
    /// - Throws: The errors of `ReadingChecklist`.
    package func checklist(of app: BundleIdentifier, as user: TeamUser) async throws -> AppChecklist {
        try await ReadingChecklist(context)(app, as: user)
    }

    /// The use cases of apps.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func registeringApp() throws -> RegisteringApp {
        try requireCurrentSchema()
        return RegisteringApp(context)
    }

    /// The use case of an app's notification addresses.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func registeringAddresses() throws -> RegisteringAddresses {
        try requireCurrentSchema()
        return RegisteringAddresses(context)
    }

    /// The shared secrets that sellers make in Connect.
    var sharedSecrets: MakingSharedSecrets {
        MakingSharedSecrets(context, protection: secrets?.protection ?? .plain)
    }

    /// The shared secrets that `/verifyReceipt` accepts for an app, besides one
    /// that this process was started with; those that it has read before when
    /// the rows are encrypted with another key.
    ///
    /// - Throws: The errors of `MakingSharedSecrets`.
    package func acceptedSecrets(for app: BundleIdentifier) async throws -> SharedSecrets {
        try await sharedSecrets.accepted(for: app, orOf: secrets?.secrets)
    }

    /// The secret in notifications of version 1 of an app: its own one, else
    /// its team's.
    @Sendable
    func notifiedSecret(of app: BundleIdentifier) async throws -> String? {
        if let secret = sharedSecret(app) { return secret }
        let made = try await acceptedSecrets(for: app)
        return made.app ?? made.master
    }

    /// The shared secrets of an app of the user's team.
    ///
    /// - Throws: The errors of `MakingSharedSecrets`.
    package func sharedSecrets(of app: BundleIdentifier, as user: TeamUser) async throws -> SharedSecrets {
        let reading = sharedSecrets
        return try await reading(of: app, as: user)
    }

    /// Makes a shared secret in the place of an earlier one. Other nodes use it
    /// after some seconds.
    ///
    /// - Throws: The errors of `MakingSharedSecrets`.
    package func makeSharedSecret(
        _ owner: SharedSecrets.Owner, version: String, of app: BundleIdentifier, by user: TeamUser
    ) async throws {
        try requireCurrentSchema()
        try await sharedSecrets.make(owner, version: version, of: app, by: user)
        try await secrets?.refresh()
    }

    /// The use cases of products.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func registeringProduct() throws -> RegisteringProduct {
        try requireCurrentSchema()
        return RegisteringProduct(context)
    }

    /// The use case of `.storekit` files.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func importingAppFile() throws -> ImportingAppFile {
        try requireCurrentSchema()
        return ImportingAppFile(context)
    }

    /// The use case of tables of prices and texts.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func editingTable() throws -> EditingTable {
        try requireCurrentSchema()
        return EditingTable(context)
    }

    /// The use case of offers.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func registeringOffer() throws -> RegisteringOffer {
        try requireCurrentSchema()
        return RegisteringOffer(context)
    }

    /// The use case of the codes of teams' apps.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func makingAppCodes() throws -> MakingAppCodes {
        try requireCurrentSchema()
        return MakingAppCodes(context)
    }

    /// A new identifier for a form with which codes are made.
    package func drawCodesIdentifier() -> String { context.random.hexadecimal(bytes: CodeValues.batchBytes) }

    /// The use case of scheduled prices.
    ///
    /// - Throws: `StoreFailure` `unavailable` when a newer version has changed
    ///   the database.
    package func pricingProduct() throws -> PricingProduct {
        try requireCurrentSchema()
        return PricingProduct(context)
    }
}
