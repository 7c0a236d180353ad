// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import ArgumentParser
import Foundation
import Logging
import Metrics
import StoreAssembly
import StoreCore
import StoreDatabase
import StoreDomain
import StoreOutbound
import StoreServer
import StoreService

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a sandbox store until a signal stops it (Ctrl-C, SIGTERM).",
        discussion: """
            The first start makes the tables and the signing authority, which is in the database of a PostgreSQL store \
            and in the folder of a SQLite store. Give --configuration and --bundle-id as often as there are apps, in \
            the same order. A start imports the files that have changed since their last import, and prints the \
            changes. Products that were edited in the store, such as by product price, stay as they are.
            """)

    @Option(help: "The store's folder. Default: $XDG_DATA_HOME/openstorekit.")
    var data: String?

    @Flag(help: "Keep everything in memory: the database, the keys and hosted content are gone at the end.")
    var ephemeral = false

    @Flag(
        help: """
            With --ephemeral: print one line of JSON when the store is ready, with its address, the token of its remote \
            control, its root certificates, and a key for the App Store Server API.
            """)
    var json = false

    @Flag(
        help: """
            Stop also when standard input ends: a pipe of the process that has started the store, so that the store \
            doesn't outlive it.
            """)
    var endWithInput = false

    @Option(
        help: ArgumentHelp(
            "The database: sqlite:PATH or postgres://USER@HOST/DATABASE. Default: store.sqlite in the folder.",
            valueName: "url"))
    var database: DatabaseArgument?

    @OptionGroup var authorityKey: AuthorityKeyOptions

    @Option(
        help: ArgumentHelp("Where to listen. With --ephemeral, port 0 is any free port.", valueName: "host:port"),
        transform: ListenAddress.parse)
    var listen = ListenAddress.loopback

    @Option(help: ArgumentHelp("Where customers reach the store. Default: the listener's address.", valueName: "url"))
    var publicURL: String?

    @Option(help: ArgumentHelp("An Xcode StoreKit configuration file.", valueName: "file.storekit"))
    var configuration: [String] = []

    @Option(help: ArgumentHelp("The app that the configuration file at the same place belongs to.", valueName: "id"))
    var bundleID: [String] = []

    @Flag(help: "Import the configuration files also over products that were edited in the store.")
    var overwriteEdits = false

    @Option(
        help: ArgumentHelp(
            "An app and the file with the secret that its seller's server sends to /verifyReceipt as password.",
            valueName: "id=file"), transform: SharedSecretFile.parse)
    var sharedSecret: [SharedSecretFile] = []

    @Option(
        help: ArgumentHelp(
            """
            An app whose shared secret is removed. A PostgreSQL store keeps the secrets that an earlier start was given.
            """, valueName: "id"))
    var noSharedSecret: [String] = []

    @Option(
        help: ArgumentHelp(
            "Another name by which the store may be called, such as a container's service name.", valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "A proxy in front of the store, whose X-Forwarded-For names the customers' addresses.",
            valueName: "ip-address"), transform: NetworkAddress.parse)
    var trustedProxy: [NetworkAddress] = []

    @Option(
        help: ArgumentHelp(
            "Another address at which only /metrics is served, for Prometheus. Its clients aren't authenticated.",
            valueName: "host:port"), transform: ListenAddress.parseForMetrics)
    var metricsListen: ListenAddress?

    @Option(help: ArgumentHelp("How many connections may be open at a time.", valueName: "count"))
    var maxConnections = ServerLimits().connections

    @Option(
        help: ArgumentHelp(
            "How many requests to the App Store Server API an app's servers may send in a second.",
            valueName: "count"))
    var serverApiRate = ServerLimits().serverRequestsPerSecond

    @Option(
        help: ArgumentHelp(
            """
            How many days the store keeps a kind of row that its books don't need, for example events=90. \
            docs/retention.md lists the kinds.
            """, valueName: "name=days"), transform: RetentionArgument.parse)
    var keep: [RetentionArgument] = []

    @Option(
        help: ArgumentHelp(
            """
            How long a child's request to buy waits for a parent, such as 24h or 3d. Then the store declines it. \
            Default: without an end.
            """, valueName: "time"), transform: AskToBuyLimit.parse)
    var askToBuyLimit: AskToBuyLimit?

    @OptionGroup var nameOptions: NameOptions

    @OptionGroup var hosting: ContentOptions

    @Flag(help: "Let devices download content from the bucket itself, at addresses that are valid for five minutes.")
    var contentRedirect = false

    @Option(
        help: ArgumentHelp(
            "The taxes that the payment sheet shows: lines such as DEU,any,19,inclusive. docs/taxes.md has the form.",
            valueName: "file.csv"))
    var taxes: String?

    @Option(
        help: ArgumentHelp(
            """
            The program that sends messages to customers: sendmail, or one with its interface. Without it, customers \
            can't set a forgotten password or change their address.
            """, valueName: "path"))
    var sendmail: String?

    @Flag(help: "Approve submitted products without the operator's review.")
    var approveProducts = false

    @Option(
        help: ArgumentHelp(
            "The seconds after which a change in Connect reaches production, at most a day.",
            discussion: "All nodes of a store have the same.", valueName: "seconds"),
        transform: PropagationDelay.parse)
    var propagationDelay: PropagationDelay?

    @Option(
        help: ArgumentHelp(
            "The seconds after which a change in Connect reaches the sandbox. Without it, the sandbox has it now.",
            valueName: "seconds"), transform: PropagationDelay.parse)
    var sandboxPropagationDelay: PropagationDelay?

    @Option(
        help: ArgumentHelp(
            "An address to which the store sends notifications of version 2, of one app or of all.",
            valueName: "[bundle-id=]url"), transform: NotifyArgument.parse)
    var notify: [NotifyArgument] = []

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
        if let twice = Dictionary(grouping: bundleID, by: \.self).first(where: { $0.value.count > 1 })?.key {
            throw ValidationError("--bundle-id \(twice) is there twice: an app has one configuration file.")
        }
        guard (16...65_536).contains(maxConnections) else {
            throw ValidationError("--max-connections takes a number from 16 to 65536.")
        }
        guard (1...100_000).contains(serverApiRate) else {
            throw ValidationError("--server-api-rate takes a number from 1 to 100000.")
        }
        _ = try RetentionArgument.retention(keep)
        for app in noSharedSecret where sharedSecret.contains(where: { $0.bundleIdentifier == app }) {
            throw ValidationError("--shared-secret and --no-shared-secret exclude one another for \(app).")
        }
        for name in allowHost where !AllowedHosts.isName(name) {
            throw ValidationError("--allow-host takes a host's name without scheme and port, not \"\(name)\".")
        }
        if let sendmail, !sendmail.hasPrefix("/") || !FileManager.default.isExecutableFile(atPath: sendmail) {
            throw ValidationError("--sendmail takes the absolute path of a program, not \"\(sendmail)\".")
        }
        try validatePublicURL()
        try validateEphemeral()
        try nameOptions.validate(isEphemeral: ephemeral, printsJSON: json)
        if contentRedirect, hosting.content?.isBucket != true {
            throw ValidationError("--content-redirect needs a bucket: give --content s3://BUCKET too.")
        }
    }

    mutating func run() async throws {
        try await storectl.run {
            if endWithInput { EndOfInput.endsProcess() }
            ProcessLimits.returnLargeBlocks()
            ProcessLimits.endWithoutBacktrace(ProcessInfo.processInfo.environment)
            let port = try takePort()
            let namesPort = try nameOptions.takePort()
            defer { withExtendedLifetime((port, namesPort)) {} }
            try metricsListen?.check()
            let catalogues = try readCatalogues()
            for remark in catalogues.flatMap(\.file.omitted) { say(remark) }
            let secrets = try SharedSecretFile.read(sharedSecret)
            let taxes = try TaxFile.read(taxes)
            let environment = ProcessInfo.processInfo.environment
            let directory = try ephemeral ? nil : StoreDirectory(path: data, environment: environment)
            let logger = Self.logger(verbose: verbose)
            let location = try database?.location() ?? directory?.databaseLocation ?? .memory
            let lock = try location.lock()
            defer { withExtendedLifetime(lock) {} }
            let database = try location.open()
            let random = SystemDependencies.random
            var store = StoreConfiguration(database: database, clock: SystemDependencies.clock, random: random)
            let notifications = try location.notifications()
            defer { notifications?.close() }
            store.isOnlyNode = !location.isShared
            store.bus = notifications.map { SharedNewsBus($0, environment: store.environment) }
            store.faults = CrashPoint.handler(environment)
            store.mail = sendmail.map { SendmailProgram(path: $0) }
            store.qrCodes = QRCodeProgram.installed
            store.approvesProducts = approveProducts
            store.propagation = Propagation(
                production: propagationDelay?.duration ?? .zero, sandbox: sandboxPropagationDelay?.duration ?? .zero)
            store.notifications = OutboundClient(OutboundPolicy(of: store.environment))
            store.retention = try RetentionArgument.retention(keep)
            store.askToBuyLimit = askToBuyLimit?.duration
            let metrics = PrometheusMetrics()
            MetricsSystem.bootstrap(metrics)
            store.metrics = metrics
            // The keys of an ephemeral store are made while its tables are: RSA keys take most of its start.
            async let making = ephemeral ? EphemeralStore.makeAuthority(at: address, environment) : nil
            var context = try await Store.open(store)
            for address in notify { try await address.add(to: context) }
            context.hosting = try await openHosting(context, in: directory)
            let authority: SigningAuthority
            let served: ServedSecrets
            var facts: EphemeralStore?
            if let directory {
                let stored = StoredAuthority(directory: directory, key: authorityKey, environment: environment)
                authority = try await stored.openOrMake(
                    context, at: location, profile: .sandbox(publicAddress: address))
                served = try await stored.openSecrets(context, setting: secrets, removing: noSharedSecret)
                directory.recordRoots(authority.rootsPEM, logger)
            } else {
                let made = try await EphemeralStore(context, address: address, authority: try await making)
                (authority, facts) = (made.authority, made)
                served = made.secrets(shared: secrets)
            }
            var serving = ServingConfiguration(
                authority: authority, publicURL: address, logger: logger, catalogues: catalogues)
            serving.secrets = served.stored
            let secret = served.verifyReceipt.sharedSecret
            serving.sharedSecret = { secret($0.rawValue) }
            serving.overwritesEdits = overwriteEdits
            var configuration = ServerConfiguration(host: listen.host, port: listen.port)
            configuration.verifyReceipt = served.verifyReceipt
            configuration.control = served.control
            configuration.hosts = hosts
            configuration.taxes = taxes
            configuration.trustedProxies = trustedProxy
            configuration.metrics = metricsConfiguration(metrics)
            configuration.limits.connections = ProcessLimits.connections(wanted: maxConnections, logger)
            configuration.limits.serverRequestsPerSecond = serverApiRate
            let opened = try await Store.open(context, serving: serving)
            for (catalogue, changes) in zip(catalogues, opened.imports.map(\.lines)) where !changes.isEmpty {
                for line in changes + (catalogue.file.rounding.map { [$0] } ?? []) { say(line) }
            }
            let names = try nameOptions.open(beside: store, serving: serving, now: SystemDependencies.clock.now().date)
            configuration.names = names?.configuration
            let line = try await readyLine(facts, names) + setUpLine(of: opened.service)
            try await serve(opened, configuration, ready: line, in: directory, at: location)
            try database.close()
        }
    }

    private func serve(
        _ store: Store, _ configuration: ServerConfiguration, ready line: String, in directory: StoreDirectory?,
        at location: DatabaseLocation
    ) async throws {
        do {
            try await runStore(store.service, store.housekeeping, configuration, logger: store.service.logger) {
                directory?.recordControlAddress(listen.reachableURL, servingFrom: location, store.service.logger)
                print(line)
                fflush(nil)
            }
        } catch let error as AddressInUse {
            switch error.listener {
            case .store: throw listen.inUse
            case .metrics: throw metricsListen?.inUse ?? listen.inUse
            case .names: throw nameOptions.tlsListen.inUse
            }
        }
    }

    private static func logger(verbose: Bool) -> Logger {
        var logger = Logger(label: "store", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = verbose ? .debug : .notice
        return logger
    }
}
