// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreDomain
import StoreService
import Synchronization

/// Answers the store's dialogs as the account owner. Dialogs that the session
/// doesn't disable wait for the test.
final class SessionPresenter: SheetPresenter {
    let service: StoreService
    let settings: @Sendable () -> SessionSettings
    private let waiting = Mutex<[String]>([])

    init(service: StoreService, settings: @escaping @Sendable () -> SessionSettings) {
        self.service = service
        self.settings = settings
    }

    func present(_ sheet: URL) async throws {
        let token = sheet.lastPathComponent
        if settings().disablesDialogs {
            try await confirm(token)
        } else {
            waiting.withLock { $0.append(token) }
        }
    }

    /// Removes and returns the open dialogs, oldest first.
    func takeDialogs() -> [String] {
        waiting.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
    }

    /// Confirms a payment, or signs in when the dialog requires that.
    func confirm(_ token: String) async throws {
        let account = try await service.account(SessionHost.customer)
        if try await service.sheet(token).product == nil {
            try await service.signIn(onSheet: token, as: account)
        } else {
            _ = try await service.buy(onSheet: token, as: account, shown: nil)
        }
    }
}
