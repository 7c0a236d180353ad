// SPDX-License-Identifier: Apache-2.0

package import StoreDomain
package import StoreService

/// A store that is put together: the dependencies of its use cases, and the
/// service that answers devices.
package struct Store: Sendable {
    package let context: StoreContext
    package let service: StoreService
    /// The periodic work of the store, to run beside the service.
    package let housekeeping: StoreHousekeeping
    /// The changes that the catalogues made when the store was opened.
    package private(set) var imports: [CatalogueImport] = []

    /// Puts a store together on a database that has this version's schema.
    package init(_ configuration: StoreConfiguration, serving: ServingConfiguration) {
        self.init(Self.context(configuration), serving: serving)
    }

    private init(_ context: StoreContext, serving: ServingConfiguration) {
        self.context = context
        service = StoreService(
            context, authority: serving.authority, publicURL: serving.publicURL, logger: serving.logger,
            secrets: serving.secrets, sharedSecret: serving.sharedSecret)
        housekeeping = StoreHousekeeping(service)
    }

    /// Brings the database to this version's schema, and makes the
    /// dependencies of the use cases. Enough for an operator's command; a
    /// store that devices use is opened with ``open(_:serving:)``.
    ///
    /// - Throws: `DatabaseError` when the database can't be used or has a
    ///   newer schema, `DomainError` `invalid` when a copy into it was broken
    ///   off.
    package static func open(_ configuration: StoreConfiguration) async throws -> StoreContext {
        try await Schema.migrate(configuration.database)
        try await CopyingStore.check(configuration.database)
        return context(configuration)
    }

    /// Opens a store, and imports those of its catalogues whose files have
    /// changed since their last import.
    ///
    /// - Throws: The errors of ``open(_:)`` and of `ImportingCatalogue`.
    package static func open(
        _ configuration: StoreConfiguration, serving: ServingConfiguration
    ) async throws -> Store {
        try await open(try await open(configuration), serving: serving)
    }

    /// Makes a store that devices use from the dependencies of ``open(_:)``,
    /// and imports its catalogues: for a caller that needs the database before
    /// it has the authority.
    ///
    /// - Throws: The errors of `ImportingCatalogue`.
    package static func open(_ context: StoreContext, serving: ServingConfiguration) async throws -> Store {
        var store = Store(context, serving: serving)
        for catalogue in serving.catalogues {
            store.imports.append(
                try await ImportingCatalogue(context)(
                    catalogue.file, into: catalogue.app, onlyIfChanged: true,
                    overwritingEdits: serving.overwritesEdits))
        }
        return store
    }

    private static func context(_ configuration: StoreConfiguration) -> StoreContext {
        var context = StoreContext(
            database: configuration.database, environment: configuration.environment, clock: configuration.clock,
            random: configuration.random,
            provider: configuration.provider
                ?? SandboxPaymentProvider(database: configuration.database, clock: configuration.clock),
            faults: configuration.faults,
            meters: StoreMeters(configuration.metrics, environment: configuration.environment),
            retention: configuration.retention, bus: configuration.bus ?? LocalNewsBus(),
            isOnlyNode: configuration.isOnlyNode, leaseDuration: configuration.leaseDuration,
            askToBuyLimit: configuration.askToBuyLimit, hosting: configuration.hosting, mail: configuration.mail,
            notifications: configuration.notifications, passwordCost: configuration.passwordCost)
        context.qrCodes = configuration.qrCodes
        context.approvesProducts = configuration.approvesProducts
        context.propagation = configuration.propagation
        return context
    }
}
