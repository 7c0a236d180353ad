// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation
import Logging
import StoreAssembly
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
    var database: DatabaseArgument?

    @Option(help: ArgumentHelp("Where to listen.", valueName: "host:port"), transform: ListenAddress.parse)
    var listen = ListenAddress.loopback

    @Option(help: ArgumentHelp("Where customers reach the store. Default: the listener's address.", valueName: "url"))
    var publicURL: String?

    @Option(help: ArgumentHelp("An Xcode StoreKit configuration file.", valueName: "file.storekit"))
    var configuration: [String] = []

    @Option(help: ArgumentHelp("The app that the configuration file at the same place belongs to.", valueName: "id"))
    var bundleID: [String] = []

    @Option(
        help: ArgumentHelp(
            "An app and the file with the secret that its seller's server sends to /verifyReceipt as password.",
            valueName: "id=file"), transform: SharedSecretFile.parse)
    var sharedSecret: [SharedSecretFile] = []

    @Option(
        help: ArgumentHelp(
            "Another name by which the store may be called, such as a container's service name.", valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "A proxy in front of the store, whose X-Forwarded-For names the customers' addresses.",
            valueName: "ip-address"), transform: NetworkAddress.parse)
    var trustedProxy: [NetworkAddress] = []

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
        _ = try database?.location()
        for identifier in bundleID where identifier.isEmpty || identifier.utf8.count > 255 {
            throw ValidationError("--bundle-id takes an identifier of 1 to 255 bytes, such as com.example.fruit.")
        }
        guard (16...65_536).contains(maxConnections) else {
            throw ValidationError("--max-connections takes a number from 16 to 65536.")
        }
        for name in allowHost where !AllowedHosts.isName(name) {
            throw ValidationError("--allow-host takes a host's name without scheme and port, not \"\(name)\".")
        }
        if ephemeral, database != nil {
            throw ValidationError("--ephemeral and --database exclude one another.")
        }
    }

    func run() async throws {
        try await storectl.run {
            ProcessLimits.returnLargeBlocks()
            ProcessLimits.endWithoutBacktrace(ProcessInfo.processInfo.environment)
            try listen.check()
            let catalogues = try readCatalogues()
            let secrets = try SharedSecretFile.read(sharedSecret)
            let environment = ProcessInfo.processInfo.environment
            let directory = try StoreDirectory(path: data, environment: environment)
            let logger = Self.logger(verbose: verbose)
            let location = try ephemeral ? .memory : database?.location() ?? directory.databaseLocation
            let lock = try location.lock()
            defer { withExtendedLifetime(lock) {} }
            let database = try location.open()
            let random = SystemDependencies.random
            var drawing = random.drawing
            let authority = try SigningAuthority.loadOrCreate(
                directory: directory.authorityURL, profile: .sandbox(publicAddress: address),
                keys: .environment(environment), using: &drawing)
            var store = StoreConfiguration(database: database, clock: SystemDependencies.clock, random: random)
            store.faults = CrashPoint.handler(environment)
            let serving = ServingConfiguration(
                authority: authority, publicURL: address, logger: logger, catalogues: catalogues)
            var configuration = ServerConfiguration(host: listen.host, port: listen.port)
            configuration.verifyReceipt = VerifyReceiptConfiguration(sharedSecrets: secrets)
            try directory.recordControlAddress(listen.reachableURL)
            configuration.control = ControlAccess(token: try directory.controlToken(random: random))
            configuration.hosts = hosts
            configuration.trustedProxies = trustedProxy
            configuration.limits.connections = ProcessLimits.connections(wanted: maxConnections, logger)
            try await serve(try await Store.open(store, serving: serving), configuration)
            try database.close()
        }
    }

    /// Reads all configuration files before the first one is imported, so
    /// that a file that can't be read leaves every catalogue unchanged.
    private func readCatalogues() throws -> [ServingConfiguration.Catalogue] {
        try zip(configuration, bundleID).map { file, name in
            let bundleIdentifier = BundleIdentifier(name)
            guard let contents = FileManager.default.contents(atPath: file) else {
                throw CommandFailure("The configuration file \(file) can't be read.")
            }
            let read = try StoreKitConfigurationFile(contents, file: file, bundleIdentifier: bundleIdentifier)
            if !read.skipped.isEmpty {
                say(
                    "\(file): auto-renewable subscriptions aren't sold yet; left out: \(read.skipped.joined(separator: ", "))."
                )
            }
            return ServingConfiguration.Catalogue(
                app: App(bundleIdentifier: bundleIdentifier, name: App.name(of: bundleIdentifier)), file: read)
        }
    }

    /// The address at which customers reach the store, without a slash at the
    /// end.
    private var address: String {
        publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? "http://\(listen.text)"
    }

    /// The host names that the store answers to.
    private var hosts: AllowedHosts {
        let customers = URL(string: address)?.host.map { [$0] } ?? []
        return AllowedHosts(
            ["127.0.0.1", "localhost", "[::1]", listen.host] + customers + allowHost,
            allowsAddresses: ["0.0.0.0", "::"].contains(listen.host))
    }

    private func serve(
        _ store: Store, _ configuration: ServerConfiguration
    ) async throws {
        do {
            try await runStore(store.service, store.housekeeping, configuration, logger: store.service.logger) {
                print("The store is at \(address)/")
                fflush(nil)
            }
        } catch is AddressInUse {
            throw listen.inUse
        }
    }

    private static func logger(verbose: Bool) -> Logger {
        var logger = Logger(label: "store", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = verbose ? .debug : .notice
        return logger
    }
}
