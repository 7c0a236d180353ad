// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation
import StoreAssembly
import StoreDomain
import StoreServer
import StoreService

/// The options of the listener that answers to Apple's host names.
struct NameOptions: ParsableArguments {
    @Flag(help: "Answer to the host names of --names with TLS too, for a test of a server that has them in its source.")
    var tls = false

    @Option(help: ArgumentHelp("Whose host names: apple.", valueName: "apple"))
    var names: String?

    @Option(
        help: ArgumentHelp("Where --tls listens. With --ephemeral, port 0 is any free port.", valueName: "host:port"),
        transform: ListenAddress.parseForNames)
    var tlsListen = ListenAddress.names

    @Option(
        help: ArgumentHelp(
            "The file into which the root certificate of this run is written, which the test's clients trust.",
            valueName: "file.pem"))
    var tlsRoot: String?

    func validate() throws {
        guard tls == (names != nil) else { throw ValidationError("--tls and --names apple belong together.") }
        if let names, names != "apple" { throw ValidationError("--names takes apple, not \"\(names)\".") }
        if tlsRoot != nil, !tls { throw ValidationError("--tls-root needs --tls --names apple.") }
        guard !tls || tlsListen.isLoopback else {
            throw ValidationError("--tls-listen takes an address of this machine, such as 127.0.0.1:8443.")
        }
    }

    /// Checks the options together with those of the store.
    ///
    /// - Throws: `ValidationError`.
    func validate(isEphemeral: Bool, printsJSON: Bool) throws {
        guard tls else { return }
        if tlsRoot == nil, !printsJSON {
            throw ValidationError("--tls needs --tls-root FILE, or --ephemeral --json: clients have to trust the root.")
        }
        if tlsListen.port == 0, !isEphemeral {
            throw ValidationError("--tls-listen takes HOST:PORT with a port from 1 on; 0 needs --ephemeral.")
        }
    }

    /// Checks that the store can listen, and takes a free port for the port 0.
    ///
    /// - Throws: ``CommandFailure``.
    mutating func takePort() throws -> PortReservation? {
        guard tls else { return nil }
        guard tlsListen.port == 0 else {
            try tlsListen.check()
            return nil
        }
        let reserved = try tlsListen.reserve()
        tlsListen = reserved.address
        return reserved.reservation
    }

    /// The listener with a certificate for this run; `nil` without `--tls`.
    struct Listener {
        var configuration: NamedListenerConfiguration
        var address: String
        var rootCertificate: String
    }

    /// Makes the certificates, and writes the root's file.
    ///
    /// - Throws: ``CommandFailure`` for a file that can't be written; an error
    ///   of the cryptographic library.
    func open(
        beside store: StoreConfiguration, serving: ServingConfiguration, now: Date
    ) throws -> Listener? {
        guard tls else { return nil }
        var random = SystemDependencies.random.drawing
        let identity = try ServerIdentity(names: AppleNames.all, now: now, using: &random)
        if let tlsRoot {
            do {
                try Data(identity.rootCertificatePEM.utf8).write(to: URL(fileURLWithPath: tlsRoot))
            } catch {
                throw CommandFailure("The root certificate can't be written to \(tlsRoot).")
            }
        }
        var production = StoreConfiguration(database: store.database, clock: store.clock, random: store.random)
        production.environment = .production
        production.propagation = store.propagation
        var services = serving
        services.catalogues = []
        return Listener(
            configuration: NamedListenerConfiguration(
                host: tlsListen.host, port: tlsListen.port, certificatePEM: identity.certificatePEM,
                privateKeyPEM: identity.privateKeyPEM, production: Store(production, serving: services).service),
            address: tlsListen.text, rootCertificate: identity.rootCertificatePEM)
    }
}
