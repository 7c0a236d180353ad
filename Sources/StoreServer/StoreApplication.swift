// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import ServiceLifecycle
package import StoreService
import UnixSignals

/// What an operator decides about a server.
package struct ServerConfiguration: Sendable {
    package var host: String
    package var port: Int
    package var verifyReceipt = VerifyReceiptConfiguration()
    /// `nil`: there is no remote control.
    package var control: ControlAccess?
    /// `nil`: the store may be called by any name, as in tests without a port.
    package var hosts: AllowedHosts?
    package var limits = ServerLimits()
    /// Addresses of proxies whose `X-Forwarded-For` names the sender.
    package var trustedProxies: [String] = []

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// Builds the store's HTTP application, which calls `onServerRunning` once it
/// listens.
package func buildApplication(
    _ service: StoreService, _ configuration: ServerConfiguration, logger: Logger,
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
        services: [StoreHousekeeping(service), node],
        onServerRunning: { _ in await onServerRunning() },
        logger: logger)
    application.logger.logLevel = max(logger.logLevel, .notice)
    return application
}

/// Something else listens at the address already.
package struct AddressInUse: Error {}

/// Runs the store until a signal stops it: requests under way have
/// ``ServerLimits/stopDeadline`` to end, and are cancelled a moment later.
///
/// - Throws: ``AddressInUse``, or what the system says of the address.
package func runStore(
    _ service: StoreService, _ configuration: ServerConfiguration, logger: Logger,
    onServerRunning: @escaping @Sendable () async -> Void
) async throws {
    let application = try buildApplication(service, configuration, logger: logger, onServerRunning: onServerRunning)
    var group = ServiceGroupConfiguration(
        services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: application.logger)
    group.maximumGracefulShutdownDuration = configuration.limits.stopDeadline + .seconds(2)
    do {
        try await ServiceGroup(configuration: group).run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
        throw AddressInUse()
    }
}

/// Every route of the store; see the table of surfaces in ARCHITECTURE.md.
/// Without access for anybody there is no remote control.
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
