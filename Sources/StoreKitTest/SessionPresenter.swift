// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent
import StoreDomain
import StoreService
import Synchronization

/// Answers the store's dialogs as the account owner. Dialogs that the session
/// doesn't disable wait for the test.
///
/// The sheets of codes and of price increases don't belong to a purchase of
/// the app. A session without dialogs closes them: no code is typed, and an
/// increase waits for the session's own methods.
final class SessionPresenter: SheetPresenter {
    let service: StoreService
    let settings: @Sendable () -> SessionSettings
    private let waiting = Mutex<[String]>([])

    init(service: StoreService, settings: @escaping @Sendable () -> SessionSettings) {
        self.service = service
        self.settings = settings
    }

    func present(_ sheet: URL) async throws {
        // The page of an item is not of the session's store.
        guard sheet.pathComponents.dropLast().last == "sheet" else { return }
        let token = sheet.lastPathComponent
        guard settings().disablesDialogs else { return waiting.withLock { $0.append(token) } }
        switch try await service.sheet(token).request.kind {
        case .redemption, .priceConsent: try await service.cancelSheet(token)
        default: try await confirm(token)
        }
    }

    /// Removes and returns the open dialogs, oldest first.
    func takeDialogs() -> [String] {
        waiting.withLock { tokens in
            defer { tokens = [] }
            return tokens
        }
    }

    /// Confirms a payment, agrees to a price, or signs in when the dialog
    /// requires that. A dialog for a code is closed, because a test can't type
    /// one.
    func confirm(_ token: String) async throws {
        let account = try await service.account(SessionHost.customer)
        switch try await service.sheet(token).request.kind {
        case .payment: _ = try await service.buy(onSheet: token, as: account, shown: nil)
        case .priceConsent: try await service.agree(onSheet: token, to: nil, as: account, shown: nil)
        case .redemption: try await service.cancelSheet(token)
        default: try await service.signIn(onSheet: token, as: account)
        }
    }
}
