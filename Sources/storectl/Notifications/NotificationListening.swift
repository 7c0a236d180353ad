// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import ServiceLifecycle
import StoreDomain
import StoreOutbound
import StoreScenarios
import StoreService

/// Takes notifications from a store, prints them and forwards them, until the
/// process is asked to end.
struct NotificationListening: Service {
    let control: RemoteControl
    let listener: String
    let bundle: String?
    let forward: String?
    /// The version of the notifications, 1 or 2.
    let version: Int
    let json: Bool

    /// The pause after a call that no store has answered.
    private static let pause: Duration = .seconds(1)
    /// How long a call waits for a notification, in milliseconds.
    private static let limit = 2000

    func run() async throws {
        let taken = try await cancelWhenGracefulShutdown { try await listen() }
        // Confirms the printed notifications. The store keeps the others for no listener.
        var last = Control.ListenCall(listener: listener, bundle: bundle, taken: taken, version: version)
        last.limit = 0
        let _: Control.NotificationsAnswer? = try? await control.call(.listen, last)
        let _: Control.StopListeningAnswer? = try? await control.call(
            .stopListening, Control.StopListeningCall(listener: listener, bundle: bundle))
    }

    /// Takes notifications until the task is cancelled. The next call confirms
    /// the printed ones, also when it is repeated because no store answers.
    ///
    /// - Returns: The printed notifications that aren't confirmed.
    /// - Throws: ``CommandFailure`` when the store refuses a call.
    private func listen() async throws -> [Control.TakenNotification] {
        let sender = OutboundClient(.forwarding)
        var taken: [Control.TakenNotification] = []
        var roots: [Data] = []
        var isAnswered = false
        while !Task.isCancelled {
            do {
                if roots.isEmpty { roots = try await control.rootCertificates() }
                var call = Control.ListenCall(listener: listener, bundle: bundle, taken: taken, version: version)
                call.limit = isAnswered ? Self.limit : 0
                let answer: Control.NotificationsAnswer = try await control.call(.listen, call)
                if !isAnswered { note("Listening to notifications. Ctrl-C ends it.") }
                isAnswered = true
                taken = []
                for notification in answer.notifications where !Task.isCancelled {
                    taken.append(try await handle(notification, roots, by: sender))
                }
            } catch let failure as CommandFailure where failure.isTemporary {
                if isAnswered && !Task.isCancelled { note("Waiting for the store: \(failure.description)") }
                isAnswered = false
                try? await Task.sleep(for: Self.pause)
            } catch is CancellationError {
                break
            }
        }
        return taken
    }

    /// Prints and forwards a notification.
    private func handle(
        _ notification: Control.NotificationAnswer, _ roots: [Data], by sender: OutboundClient
    ) async throws -> Control.TakenNotification {
        let payload = notification.payload ?? ""
        let isFormer = notification.version == 1
        let body = isFormer ? payload : "{\"signedPayload\":\"\(payload)\"}"
        var result: NotificationResult?
        if let forward { result = try await sender.send(body, to: forward) }
        guard !isFormer else {
            // Its receipt is signed, and the body isn't.
            output(json ? body : line(notification, result))
            return Control.TakenNotification(notification: notification.notification, result: result?.rawValue)
        }
        do {
            let decoded = try NotificationDecoder(roots: roots, bundleIdentifier: notification.bundle)
                .notification(Data(body.utf8))
            output(json ? decoded.encoded : line(notification, result))
        } catch let failure as ScenarioFailure {
            note("\(notification.notification): \(failure.description).")
        }
        return Control.TakenNotification(notification: notification.notification, result: result?.rawValue)
    }

    private func line(_ notification: Control.NotificationAnswer, _ result: NotificationResult?) -> String {
        let kind = [notification.type, notification.subtype].compactMap(\.self).joined(separator: "/")
        let moment = Date(timeIntervalSince1970: Double(notification.created) / 1000).formatted(.iso8601)
        return [moment, kind, notification.bundle, notification.transaction, result?.rawValue]
            .compactMap(\.self).joined(separator: "  ")
    }

    /// Prints a line that a reading program gets immediately.
    private func output(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private func note(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
