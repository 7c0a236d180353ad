// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
package import StoreDomain
package import StoreService
import UnixSignals

/// The operator's settings of a server.
package struct ServerConfiguration: Sendable {
    package var host: String
    package var port: Int
    package var verifyReceipt = VerifyReceiptConfiguration()
    /// `nil` for a store without remote control.
    package var control: ControlAccess?
    /// `nil` allows requests to any host name, as in tests without a port.
    package var hosts: AllowedHosts?
    package var limits = ServerLimits()
    /// `nil` for a server that measures nothing.
    package var metrics: MetricsConfiguration?
    /// Addresses of proxies whose `X-Forwarded-For` names the sender.
    package var trustedProxies: [NetworkAddress] = []
    /// The listener of Apple's names; `nil` without one.
    package var names: NamedListenerConfiguration?
    /// The taxes that the sheet shows beside a price.
    package var taxes = TaxTable()

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// Builds the store's HTTP application, which calls `onServerRunning` once all
/// of its listeners for customers and sellers listen.
package func buildApplication(
    _ service: StoreService, _ housekeeping: StoreHousekeeping, _ configuration: ServerConfiguration, logger: Logger,
    onServerRunning: @escaping @Sendable () async -> Void = {}
) throws -> some ApplicationProtocol {
    let limits = configuration.limits
    let table = ConnectionTable(limit: limits.connections, reserve: limits.reservedConnections)
    let node = ServingNode(service)
    service.hub.limitStreams(to: limits.streams)
    let gauges = configuration.metrics.map { metrics in
        StoreGauges(service, metrics.backend, connections: { table.count })
    }
    var services: [any Service] = [housekeeping, node]
    if let gauges, let listener = configuration.metrics?.listener {
        services.append(MetricsListener(listener, gauges, service, limits, logger: logger))
    }
    let (named, isNamed) = AsyncStream.makeStream(of: Void.self)
    if let listener = configuration.names {
        services.append(
            try NamedListener(listener, service, configuration, logger: logger, onServerRunning: { isNamed.finish() }))
    } else {
        isNamed.finish()
    }
    var application = Application(
        router: try buildRouter(service, configuration, node: node, gauges: gauges),
        server: .limited(limits, table),
        configuration: ApplicationConfiguration(
            address: .hostname(configuration.host, port: configuration.port), serverName: "OpenStoreKit",
            reuseAddress: true),
        services: services,
        onServerRunning: { _ in
            for await _ in named {}
            await onServerRunning()
        },
        logger: logger)
    application.logger.logLevel = max(logger.logLevel, .notice)
    return application
}

extension HTTPServerBuilder {
    /// A server whose connections have the limits of the store.
    static func limited(_ limits: ServerLimits, _ table: ConnectionTable) -> HTTPServerBuilder {
        .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    InboundEndHandler(), UpgradeHandler(), ConnectionLimitHandler(limits, table),
                ],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes,
                    maxHeaderFieldCount: limits.headFields)))
    }
}

/// The address that the store should listen at is in use.
package struct AddressInUse: Error {
    /// A listener of the store.
    package enum Purpose: Sendable {
        case store
        case metrics
        case names
    }

    package var listener = Purpose.store
}

/// Runs the store until a signal stops it. Requests under way have
/// ``ServerLimits/stopDeadline`` to end, and are cancelled two seconds later.
///
/// - Throws: ``AddressInUse``, or the system's error when the store can't
///   listen at the address.
package func runStore(
    _ service: StoreService, _ housekeeping: StoreHousekeeping, _ configuration: ServerConfiguration, logger: Logger,
    onServerRunning: @escaping @Sendable () async -> Void
) async throws {
    let application = try buildApplication(
        service, housekeeping, configuration, logger: logger, onServerRunning: onServerRunning)
    var group = ServiceGroupConfiguration(
        services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: application.logger)
    group.maximumGracefulShutdownDuration = configuration.limits.stopDeadline + .seconds(2)
    do {
        try await ServiceGroup(configuration: group).run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
        throw AddressInUse()
    }
}

/// Builds a router with all routes of the store: the device protocol and its
/// event stream, hosted content, the pages, `/verifyReceipt`, `/inApps`,
/// `/pki`, the descriptions of these interfaces, the health checks, and, if the
/// configuration has them, the remote control and `/metrics`.
package func buildRouter(
    _ service: StoreService, _ configuration: ServerConfiguration = ServerConfiguration(host: "localhost", port: 0),
    node: ServingNode? = nil
) throws -> StoreRouter {
    try buildRouter(service, configuration, node: node, gauges: nil)
}

/// Builds the same router; `gauges` are those that another listener shows
/// too.
func buildRouter(
    _ service: StoreService, _ configuration: ServerConfiguration, node: ServingNode?, gauges: StoreGauges?
) throws -> StoreRouter {
    let limits = RequestLimits(configuration.limits)
    let router = StoreRouter()
    let meters = configuration.metrics.map { RequestMeters($0.backend) }
    if let metrics = configuration.metrics, let meters {
        router.add(middleware: MeteringMiddleware(meters: meters, uptime: metrics.uptime))
    }
    router.add(middleware: FailureMiddleware(service: service))
    router.add(middleware: TrustedProxies(configuration.trustedProxies))
    if let hosts = configuration.hosts { router.add(middleware: HostMiddleware(hosts: hosts)) }
    DeviceRoutes(service: service, limits: limits).add(to: router)
    EventRoutes(service: service, limits: limits).add(to: router)
    ContentRoutes(service: service).add(to: router)
    try addPages(
        to: router, service, limits, taxes: configuration.taxes, hasControl: configuration.control != nil)
    VerifyReceiptRoutes(service: service, limits: limits, configuration: configuration.verifyReceipt).add(to: router)
    ServerRoutes(service: service, limits: limits).add(to: router)
    AuthorityRoutes(service: service, limits: limits).add(to: router)
    ConnectAPI(service: service, limits: limits).add(to: router)
    if let control = configuration.control {
        ControlRoutes(service: service, access: control, limits: limits).add(to: router)
    }
    OpenAPIRoutes(hasControl: configuration.control != nil).add(to: router)
    HealthRoutes(service: service, node: node ?? ServingNode(service)).add(to: router)
    if let metrics = configuration.metrics, metrics.isShownToThisMachine {
        MetricsRoutes(gauges: gauges ?? StoreGauges(service, metrics.backend))
            .addForThisMachine(to: router, publicURL: service.publicURL)
    }
    meters?.prepare(router.routes)
    return router
}
