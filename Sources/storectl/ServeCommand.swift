// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation
import Logging
import StoreCore
import StoreDatabase
import StoreDomain
import StoreServer
import StoreService

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a sandbox store until it is told to stop (Ctrl-C, SIGTERM).",
        discussion: """
            The first start makes the database and the signing authority. Give --configuration and --bundle-id as \
            often as there are apps, in the same order; each start makes the catalogue what the files say.
            """)

    @Option(help: "The store's folder. Default: $XDG_DATA_HOME/openstorekit.")
    var data: String?

    @Flag(help: "Keep the database in memory: everything but the signing authority is gone at the end.")
    var ephemeral = false

    @Option(
        help: ArgumentHelp(
            "The database: sqlite:PATH or postgres://USER@HOST/DATABASE. Default: store.sqlite in the folder.",
            valueName: "url"))
    var database: String?

    @Option(help: ArgumentHelp("Where to listen.", valueName: "host:port"))
    var listen = "127.0.0.1:8080"

    @Option(help: ArgumentHelp("Where customers reach the store. Default: the listener's address.", valueName: "url"))
    var publicURL: String?

    @Option(help: ArgumentHelp("An Xcode StoreKit configuration file.", valueName: "file.storekit"))
    var configuration: [String] = []

    @Option(help: ArgumentHelp("The app that the configuration file at the same place belongs to.", valueName: "id"))
    var bundleID: [String] = []

    @Option(
        help: ArgumentHelp(
            "An app and the file with the secret that its seller's server sends to /verifyReceipt as password.",
            valueName: "id=file"))
    var sharedSecret: [String] = []

    @Option(
        help: ArgumentHelp(
            "Another name by which the store may be called, such as a container's service name.", valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "A proxy in front of the store, whose X-Forwarded-For names the customers' addresses.",
            valueName: "ip-address"))
    var trustedProxy: [String] = []

    @Option(help: ArgumentHelp("How many connections may be open at a time.", valueName: "count"))
    var maxConnections = ServerLimits().connections

    @Flag(help: "Log every request.")
    var verbose = false

    func validate() throws {
        guard configuration.count == bundleID.count else {
            throw ValidationError(
                "Give one --bundle-id for each --configuration: there are \(bundleID.count) and \(configuration.count)."
            )
        }
        guard ListenAddress(listen) != nil else {
            throw ValidationError("--listen takes HOST:PORT, such as 127.0.0.1:8080, not \"\(listen)\".")
        }
        for identifier in bundleID where identifier.isEmpty || identifier.utf8.count > 255 {
            throw ValidationError("--bundle-id takes an identifier of 1 to 255 bytes, such as com.example.fruit.")
        }
        if let database, DatabaseLocation(database) == nil { throw ValidationError(DatabaseLocation.expected) }
        for text in sharedSecret where SharedSecretFile(text) == nil {
            throw ValidationError("--shared-secret takes BUNDLE-ID=FILE, not \"\(text)\".")
        }
        guard (16...65_536).contains(maxConnections) else {
            throw ValidationError("--max-connections takes a number from 16 to 65536.")
        }
        for name in allowHost where !AllowedHosts.isName(name) {
            throw ValidationError("--allow-host takes a host's name without scheme and port, not \"\(name)\".")
        }
        for address in trustedProxy where NetworkAddress(address) == nil {
            throw ValidationError("--trusted-proxy takes an IP address, not \"\(address)\".")
        }
        if ephemeral, database != nil {
            throw ValidationError("--ephemeral and --database exclude one another.")
        }
    }

    func run() async throws {
        try await storectl.run {
            guard let listener = ListenAddress(listen) else { return }
            ProcessLimits.returnLargeBlocks()
            ProcessLimits.endWithoutBacktrace(ProcessInfo.processInfo.environment)
            try listener.check()
            let catalogues = try readCatalogues()
            let secrets = try SharedSecretFile.read(sharedSecret.compactMap(SharedSecretFile.init))
            let environment = ProcessInfo.processInfo.environment
            let directory = try StoreDirectory(path: data, environment: environment)
            let logger = Self.logger(verbose: verbose)
            let location = ephemeral ? .memory : try directory.location(database)
            let lock = try location.lock()
            defer { withExtendedLifetime(lock) {} }
            let database = try await location.open()
            let random = SystemDependencies.random
            var drawing = random.drawing
            let authority = try SigningAuthority.loadOrCreate(
                directory: directory.authorityURL, profile: .sandbox(publicAddress: address),
                keys: .environment(environment), using: &drawing)
            let context = StoreContext(
                database: database, environment: .sandbox, random: random,
                provider: SandboxPaymentProvider(database: database), faults: CrashPoint.handler(environment))
            for (app, catalogue) in catalogues { try await ImportingCatalogue(context)(catalogue, into: app) }
            var configuration = ServerConfiguration(host: listener.host, port: listener.port)
            configuration.verifyReceipt = VerifyReceiptConfiguration(sharedSecrets: secrets)
            configuration.control = ControlAccess(token: try directory.controlToken(random: random))
            configuration.hosts = hosts(listener)
            configuration.trustedProxies = trustedProxy.compactMap(NetworkAddress.init)
            configuration.limits.connections = ProcessLimits.connections(wanted: maxConnections, logger)
            try await serve(context, configuration, at: listener, authority: authority, logger: logger)
            try database.close()
        }
    }

    /// Reads all configuration files before the first one is imported, so
    /// that a file that can't be read leaves every catalogue unchanged.
    private func readCatalogues() throws -> [(App, StoreKitConfigurationFile)] {
        try zip(configuration, bundleID).map { file, bundleIdentifier in
            guard let contents = FileManager.default.contents(atPath: file) else {
                throw CommandFailure("The configuration file \(file) can't be read.")
            }
            let read = try StoreKitConfigurationFile(contents, file: file, bundleIdentifier: bundleIdentifier)
            if !read.skipped.isEmpty {
                say(
                    "\(file): auto-renewable subscriptions aren't sold yet; left out: \(read.skipped.joined(separator: ", "))."
                )
            }
            return (App(bundleIdentifier: bundleIdentifier, name: App.name(of: bundleIdentifier)), read)
        }
    }

    /// The address at which customers reach the store, without a slash at the
    /// end.
    private var address: String {
        publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? "http://\(listen)"
    }

    /// The host names that the store answers to.
    private func hosts(_ listener: ListenAddress) -> AllowedHosts {
        let customers = URL(string: address)?.host.map { [$0] } ?? []
        return AllowedHosts(
            ["127.0.0.1", "localhost", "[::1]", listener.host] + customers + allowHost,
            allowsAddresses: ["0.0.0.0", "::"].contains(listener.host))
    }

    private func serve(
        _ context: StoreContext, _ configuration: ServerConfiguration, at listener: ListenAddress,
        authority: SigningAuthority, logger: Logger
    ) async throws {
        let service = StoreService(
            context, authority: authority, publicURL: address, clock: SystemDependencies.clock, logger: logger)
        do {
            try await runStore(service, configuration, logger: logger) {
                print("The store is at \(address)/")
                fflush(nil)
            }
        } catch is AddressInUse {
            throw listener.inUse
        }
    }

    private static func logger(verbose: Bool) -> Logger {
        var logger = Logger(label: "store", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = verbose ? .debug : .notice
        return logger
    }
}
