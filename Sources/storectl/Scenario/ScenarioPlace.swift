// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Logging
import StoreScenarios
import StoreServer

/// A store and a seller's server on which scenarios are played.
struct ScenarioPlace: Sendable {
    let control: ScenarioControl
    let receiver: NotificationReceiver
    let server: SellerServer
    /// The address of the seller's server.
    let address: String
    /// The root certificates of signed data, as DER.
    let roots: [Data]

    /// Runs `work` with a store: the running one at an address, or one that is
    /// started for it.
    ///
    /// - Throws: ``CommandFailure``, the errors of `work`.
    static func using<Result: Sendable>(
        _ store: String?, _ work: @escaping @Sendable (ScenarioPlace) async throws -> Result
    ) async throws -> Result {
        let receiver = NotificationReceiver()
        let logger = Logger(label: "receiver") { _ in SwiftLogNoOpLogHandler() }
        return try await receiver.listening(logger: logger) { address in
            if let store {
                let token = ProcessInfo.processInfo.environment[RemoteControl.tokenVariable] ?? ""
                let control = ScenarioControl(store: store, token: token)
                let roots = try await control.rootCertificates()
                return try await SellerServer.using(control) { server in
                    try await work(
                        ScenarioPlace(
                            control: control, receiver: receiver, server: server, address: address, roots: roots))
                }
            }
            return try await ChildStore.using { child in
                let control = ScenarioControl(store: child.address, token: child.controlToken)
                return try await SellerServer.using(control) { server in
                    try await work(
                        ScenarioPlace(
                            control: control, receiver: receiver, server: server, address: address,
                            roots: ScenarioControl.certificates(child.rootCertificate)))
                }
            }
        }
    }

    /// Plays a scenario on the store, which is emptied before it.
    ///
    /// - Throws: ``ScenarioFailure``.
    func play(_ scenario: Scenario, configuration: String) async throws {
        receiver.answer(with: [200])
        let bundle = JSONValue.string(scenario.bundleIdentifier)
        try await control.make("reset", .object([:]))
        try await control.make(
            "import-catalogue",
            .object([
                "bundle": bundle, "name": .string(scenario.configuration),
                "contents": .string(Data(configuration.utf8).base64EncodedString()),
                "overwritesEdits": .bool(true), "isTrial": .bool(false),
            ]))
        // The emptied store keeps this setting of the app.
        try await control.make("set-grace-period", .object(["bundle": bundle, "days": .number("0")]))
        try await control.make("add-notification-address", .object(["bundle": bundle, "url": .string(address)]))
        _ = receiver.take()
        let decoder = NotificationDecoder(roots: roots, bundleIdentifier: scenario.bundleIdentifier)
        var runner = ScenarioRunner(
            PlayedStore(
                control: control, receiver: receiver, decoder: decoder, server: server,
                bundleIdentifier: scenario.bundleIdentifier))
        try await runner.play(scenario)
    }
}
