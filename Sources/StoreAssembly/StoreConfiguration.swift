// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Logging
package import Metrics
package import StoreCore
package import StoreDatabase
package import StoreDomain
package import StoreService

/// The parts of a store that an operator or a test chooses.
package struct StoreConfiguration: Sendable {
    /// An opened database of any engine.
    package var database: any Database
    package var environment = StoreEnvironment.sandbox
    package var clock: WallClock
    package var random: RandomSource
    /// The provider that collects the money; `nil` is the sandbox's.
    package var provider: (any PaymentProvider)?
    /// Carries the announcements of commits to the other nodes of the store;
    /// `nil` for a store that this process alone serves.
    package var bus: (any NewsBus)?
    /// Whether no other process can serve the store. The work of earlier
    /// processes is then taken up at the start, and otherwise when their
    /// leases have run out.
    package var isOnlyNode = false
    /// How long a lease lasts after its last renewal.
    package var leaseDuration = Lease.duration
    /// Called around the steps of a purchase.
    package var faults: FaultHandler = { _ in }
    /// Makes the counters of the store's use cases. Each store of a process
    /// may have another factory; the default counts nothing.
    package var metrics: any MetricsFactory = NOOPMetricsHandler.instance
    /// How long rows that the books don't need are kept.
    package var retention = Retention()
    /// How long a request waits for an approval (Ask to Buy); `nil` without an
    /// end.
    package var askToBuyLimit: Duration?
    /// Where hosted content is kept; `nil` for a store without any.
    package var hosting: ContentHosting?
    /// Sends messages to customers; `nil` for a store that sends none.
    package var mail: (any MailSender)?
    /// Makes the QR codes of authenticator apps; `nil` for a store that shows
    /// the secret as text only.
    package var qrCodes: (any QRCodeMaker)?
    /// Whether a submitted product is approved without the operator's review.
    package var approvesProducts = false
    /// The time after which a change in Connect reaches the products that are
    /// sold.
    package var propagation = Propagation()
    /// Sends notifications to sellers' servers; `nil` for a store that sends
    /// none.
    package var notifications: (any NotificationSender)?
    /// The work of each new hash of a password.
    package var passwordCost = PasswordCost()

    package init(database: any Database, clock: WallClock, random: RandomSource) {
        self.database = database
        self.clock = clock
        self.random = random
    }
}

/// The parts of a store that answers devices.
package struct ServingConfiguration: Sendable {
    package var authority: SigningAuthority
    /// The base address of the store's pages for customers, without a slash
    /// at the end.
    package var publicURL: String
    package var logger: Logger
    /// The secrets that the nodes of the store share; `nil` if they are in
    /// files.
    package var secrets: StoredSecrets?
    /// The shared secret of an app, which notifications of version 1 have;
    /// `nil` without one.
    package var sharedSecret: @Sendable (BundleIdentifier) -> String? = { _ in nil }
    /// The apps to sell in, each with its products. They are imported in this
    /// order.
    package var catalogues: [Catalogue] = []
    /// Whether the catalogues also replace products that were edited in the
    /// store since their last import.
    package var overwritesEdits = false

    /// An app with its configuration file.
    package struct Catalogue: Sendable {
        package var app: App
        package var file: StoreKitConfigurationFile

        package init(app: App, file: StoreKitConfigurationFile) {
            self.app = app
            self.file = file
        }
    }

    package init(
        authority: SigningAuthority, publicURL: String, logger: Logger, catalogues: [Catalogue] = []
    ) {
        self.authority = authority
        self.publicURL = publicURL
        self.logger = logger
        self.catalogues = catalogues
    }
}
