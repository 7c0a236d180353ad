// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle
package import StoreService

/// Builds the store's HTTP application, which calls `onServerRunning` once it
/// listens.
package func buildApplication(
    _ service: StoreService, verifyReceipt: VerifyReceiptConfiguration = .init(), control: ControlAccess? = nil,
    host: String, port: Int, logger: Logger, onServerRunning: @escaping @Sendable () async -> Void = {}
) throws -> some ApplicationProtocol {
    var application = Application(
        router: try buildRouter(service, verifyReceipt: verifyReceipt, control: control),
        configuration: ApplicationConfiguration(
            address: .hostname(host, port: port), serverName: "OpenStoreKit", reuseAddress: true),
        services: [StoreHousekeeping(service)],
        onServerRunning: { _ in await onServerRunning() },
        logger: logger)
    application.logger.logLevel = max(logger.logLevel, .notice)
    return application
}

/// Something else listens at the address already.
package struct AddressInUse: Error {}

/// Runs the store until it is told to stop.
///
/// - Throws: ``AddressInUse``, or what the system says of the address.
package func runStore(
    _ service: StoreService, verifyReceipt: VerifyReceiptConfiguration, control: ControlAccess? = nil, host: String,
    port: Int, logger: Logger, onServerRunning: @escaping @Sendable () async -> Void
) async throws {
    let application = try buildApplication(
        service, verifyReceipt: verifyReceipt, control: control, host: host, port: port, logger: logger,
        onServerRunning: onServerRunning)
    do {
        try await application.runService()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
        throw AddressInUse()
    }
}

/// Every route of the store; see the table of surfaces in ARCHITECTURE.md.
/// Without access for anybody there is no remote control.
package func buildRouter(
    _ service: StoreService, verifyReceipt: VerifyReceiptConfiguration = .init(), control: ControlAccess? = nil
) throws -> Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self)
    router.add(middleware: FailureMiddleware(service: service))
    DeviceRoutes(service: service).add(to: router)
    EventRoutes(service: service).add(to: router)
    try SheetRoutes(service: service).add(to: router)
    VerifyReceiptRoutes(service: service, configuration: verifyReceipt).add(to: router)
    AuthorityRoutes(service: service).add(to: router)
    if let control { ControlRoutes(service: service, access: control).add(to: router) }
    HealthRoutes(service: service).add(to: router)
    return router
}
