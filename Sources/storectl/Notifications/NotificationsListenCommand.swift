// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import StoreCore
import StoreDomain
import StoreService
import UnixSignals

struct NotificationsListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Print notifications as they happen, until Ctrl-C.",
        discussion: """
            It needs no address that receives them: the store keeps them until the command has printed them. With \
            --forward each is also posted to an address, as the store would, and the status of its answer is in the \
            history of the App Store Server API. When the store doesn't answer, the command waits for it.
            """)

    @Option(help: ArgumentHelp("Only those of this app.", valueName: "bundle-id"))
    var app: String?

    @Option(help: ArgumentHelp("Post each to this address, such as http://localhost:8000/notify.", valueName: "url"))
    var forward: String?

    @Flag(
        name: .customLong("version-1"),
        help: "Print notifications of version 1, without the shared secret. Default: version 2.")
    var isOfVersion1 = false

    @OptionGroup var control: RemoteControl

    @Flag(help: "Print each as a line of JSON, with the decoded transaction and renewal.")
    var json = false

    func run() async throws {
        try await storectl.run {
            if let forward { _ = try NotificationAddress(forward, of: "", in: .sandbox) }
            let listening = NotificationListening(
                control: control, listener: SystemDependencies.random.hexadecimal(bytes: 16), bundle: app,
                forward: forward, version: isOfVersion1 ? 1 : 2, json: json)
            let group = ServiceGroup(
                configuration: .init(
                    services: [.init(service: listening, successTerminationBehavior: .gracefullyShutdownGroup)],
                    gracefulShutdownSignals: [.sigint, .sigterm],
                    logger: Logger(label: "storectl", factory: { _ in SwiftLogNoOpLogHandler() })))
            try await group.run()
        }
    }
}
