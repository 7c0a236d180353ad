// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import StoreService

/// A listener that serves only `/metrics`, with the limits of the store's.
struct MetricsListener: Service {
    private let application: any ApplicationProtocol

    /// Connections at a time: enough for a few scrapers.
    private static let connections = 16

    init(
        _ listener: MetricsConfiguration.Listener, _ gauges: StoreGauges, _ service: StoreService,
        _ limits: ServerLimits, logger: Logger
    ) {
        let table = ConnectionTable(limit: Self.connections, reserve: 0)
        var application = Application(
            router: Self.router(listener, gauges, service),
            server: .limited(limits, table),
            configuration: ApplicationConfiguration(
                address: .hostname(listener.host, port: listener.port), serverName: "OpenStoreKit",
                reuseAddress: true),
            logger: logger)
        application.logger.logLevel = max(logger.logLevel, .notice)
        self.application = application
    }

    static func router(
        _ listener: MetricsConfiguration.Listener, _ gauges: StoreGauges, _ service: StoreService
    ) -> StoreRouter {
        let router = StoreRouter()
        router.add(middleware: FailureMiddleware(service: service))
        if let hosts = listener.hosts { router.add(middleware: HostMiddleware(hosts: hosts)) }
        MetricsRoutes(gauges: gauges).add(to: router)
        return router
    }

    /// Serves until the store stops.
    ///
    /// - Throws: ``AddressInUse``, or the system's error when it can't listen.
    func run() async throws {
        do {
            try await application.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw AddressInUse(listener: .metrics)
        }
    }
}
