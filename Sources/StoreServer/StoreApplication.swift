// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
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
    /// Addresses of proxies whose `X-Forwarded-For` names the sender.
    package var trustedProxies: [NetworkAddress] = []

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// Builds the store's HTTP application, which calls `onServerRunning` once it
/// listens.
package func buildApplication(
    _ service: StoreService, _ housekeeping: StoreHousekeeping, _ configuration: ServerConfiguration, logger: Logger,
    onServerRunning: @escaping @Sendable () async -> Void = {}
) throws -> some ApplicationProtocol {
    let limits = configuration.limits
    let table = ConnectionTable(limit: limits.connections, reserve: limits.reservedConnections)
    let node = ServingNode(service)
    service.hub.limitStreams(to: limits.streams)
    var application = Application(
        router: try buildRouter(service, configuration, node: node),
        server: .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [ConnectionLimitHandler(limits, table)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes,
                    maxHeaderFieldCount: limits.headFields))),
        configuration: ApplicationConfiguration(
            address: .hostname(configuration.host, port: configuration.port), serverName: "OpenStoreKit",
            reuseAddress: true),
        services: [housekeeping, node],
        onServerRunning: { _ in await onServerRunning() },
        logger: logger)
    application.logger.logLevel = max(logger.logLevel, .notice)
    return application
}

/// The address that the store should listen at is in use.
package struct AddressInUse: Error {}

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
/// event stream, the payment sheet, `/verifyReceipt`, `/pki`, the health
/// checks, and, if `configuration.control` is set, the remote control.
package func buildRouter(
    _ service: StoreService, _ configuration: ServerConfiguration = ServerConfiguration(host: "localhost", port: 0),
    node: ServingNode? = nil
) throws -> StoreRouter {
    let limits = RequestLimits(configuration.limits)
    let router = Router(context: StoreRequestContext.self)
    router.add(middleware: FailureMiddleware(service: service))
    router.add(middleware: TrustedProxies(configuration.trustedProxies))
    if let hosts = configuration.hosts { router.add(middleware: HostMiddleware(hosts: hosts)) }
    DeviceRoutes(service: service, limits: limits).add(to: router)
    EventRoutes(service: service).add(to: router)
    try SheetRoutes(service: service, limits: limits).add(to: router)
    VerifyReceiptRoutes(service: service, limits: limits, configuration: configuration.verifyReceipt).add(to: router)
    AuthorityRoutes(service: service, limits: limits).add(to: router)
    if let control = configuration.control {
        ControlRoutes(service: service, access: control, limits: limits).add(to: router)
    }
    HealthRoutes(service: service, node: node ?? ServingNode(service)).add(to: router)
    return router
}
