// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreService
import Synchronization

// The state of a session: its settings, and the store and device that it has now.
extension SKTestSession {
    struct State {
        var settings: SessionSettings
        var host: SessionHost?
        var bought = 0
        /// The folders of hosted content, in the order of their publication.
        var contents: [URL] = []
    }

    /// The state, which the session's store reads too.
    final class Shared: Sendable {
        let state: Mutex<State>

        init(_ settings: SessionSettings) {
            state = Mutex(State(settings: settings))
        }
    }

    var settings: SessionSettings { shared.state.withLock { $0.settings } }

    /// The current store and device.
    ///
    /// - Throws: ``SKTestError`` `serviceUnavailable` when the last restart
    ///   has failed.
    func host() throws -> SessionHost {
        guard let host = shared.state.withLock({ $0.host }) else {
            throw SKTestError(.serviceUnavailable, message: "The session couldn't be started again.")
        }
        return host
    }

    /// An identifier for a purchase that isn't made by the app.
    func nextRequest() -> String {
        shared.state.withLock { state in
            state.bought += 1
            return "session-\(state.bought)"
        }
    }

    /// Starts a store without purchases, which replaces the previous one.
    func begin() throws {
        let before = shared.state.withLock { state in
            defer { state.host = nil }
            return state.host
        }
        defer { before?.close() }
        let host = try SessionHost(
            configuration: configuration, file: file, now: before?.clock.now ?? SessionHost.systemTime,
            settings: { [shared] in shared.state.withLock { $0.settings } },
            takeContentFailure: { [shared] in
                shared.state.withLock { $0.settings.takeContentFailure() }
            })
        for folder in shared.state.withLock(\.contents) { try host.publish(folder) }
        shared.state.withLock { $0.host = host }
        host.attach(inPlaceOf: before)
        apply()
    }

    /// Restores the settings of the configuration file, and hosts no content.
    func forgetSettings() {
        shared.state.withLock { state in
            state.settings = initial
            state.contents = []
        }
    }

    func change(_ change: (inout SessionSettings) -> Void) {
        shared.state.withLock { change(&$0.settings) }
        apply()
    }

    /// Applies the settings to the store.
    private func apply() {
        let settings = settings
        guard let host = try? host() else { return }
        do {
            _ = try host.perform { service in
                try await service.change(
                    account: host.account.email,
                    ChangingAccount.Change(
                        storefront: settings.storefront,
                        switches: [
                            .asksToBuy: settings.asksToBuy, .interruptsPurchases: settings.interruptsPurchases,
                        ]))
                try await host.applyRenewalSettings()
            }
            host.runTime()
        } catch {
            FileHandle.standardError.write(Data("StoreKitTest: \(error.localizedDescription)\n".utf8))
        }
    }
}
