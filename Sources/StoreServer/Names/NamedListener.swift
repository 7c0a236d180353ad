// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import StoreDomain
import StoreService

/// A listener with TLS that answers to ``AppleNames``, with the limits of the
/// store's.
struct NamedListener: Service {
    private let application: any ApplicationProtocol

    /// Makes the listener, which calls `onServerRunning` once it listens.
    ///
    /// - Throws: `DomainError` `invalid` in production; an error of the TLS
    ///   library.
    init(
        _ listener: NamedListenerConfiguration, _ service: StoreService, _ configuration: ServerConfiguration,
        logger: Logger, onServerRunning: @escaping @Sendable () async -> Void
    ) throws {
        guard service.environment == .sandbox else {
            throw DomainError(.invalid, "Only the sandbox answers to Apple's names.")
        }
        let limits = configuration.limits
        let certificate = try NIOSSLCertificate(bytes: Array(listener.certificatePEM.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(listener.privateKeyPEM.utf8), format: .pem)
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        tls.minimumTLSVersion = .tlsv12
        let table = ConnectionTable(limit: limits.connections, reserve: limits.reservedConnections)
        let server = try HTTPServerBuilder.tls(.limited(limits, table), tlsConfiguration: tls)
        var application = Application(
            responder: NamedResponder(
                sandbox: service, production: listener.production, configuration.verifyReceipt, RequestLimits(limits)),
            server: server,
            configuration: ApplicationConfiguration(
                address: .hostname(listener.host, port: listener.port), serverName: "OpenStoreKit", reuseAddress: true),
            onServerRunning: { _ in await onServerRunning() },
            logger: logger)
        application.logger.logLevel = max(logger.logLevel, .notice)
        self.application = application
    }

    /// Serves until the store stops.
    ///
    /// - Throws: ``AddressInUse``, or the system's error when it can't listen.
    func run() async throws {
        do {
            try await application.run()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw AddressInUse(listener: .names)
        }
    }
}
