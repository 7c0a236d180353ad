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
    /// A form for a refund that waits for the test.
    struct Form {
        let transaction: String
        /// Ends when the form is answered.
        let answer: AsyncStream<Void>.Continuation
    }

    let context: StoreContext
    let service: StoreService
    let settings: @Sendable () -> SessionSettings
    private let waiting = Mutex<[String]>([])
    /// The forms that wait, oldest first; `nil` after ``close()``.
    private let forms = Mutex<[Form]?>([])

    init(context: StoreContext, service: StoreService, settings: @escaping @Sendable () -> SessionSettings) {
        self.context = context
        self.service = service
        self.settings = settings
    }

    var waitsForCustomer: Bool { true }

    func present(_ sheet: URL) async throws {
        // The other pages are not of the session's store.
        guard sheet.pathComponents.dropLast().last == "sheet" else {
            guard sheet.lastPathComponent == "problem" else { return }
            return try await show(formFor: sheet.deletingLastPathComponent().lastPathComponent)
        }
        let token = sheet.lastPathComponent
        guard settings().disablesDialogs else { return waiting.withLock { $0.append(token) } }
        switch try await service.sheet(token).request.kind {
        case .redemption, .priceConsent: try await service.cancelSheet(token)
        default: try await confirm(token)
        }
    }

    /// Sends the form for a refund, or lets it wait for the test.
    private func show(formFor transaction: String) async throws {
        guard !settings().disablesDialogs else { return try await ask(forRefundOf: transaction) }
        let (answers, answer) = AsyncStream<Void>.makeStream()
        forms.withLock { forms in
            if forms == nil { answer.finish() }
            forms?.append(Form(transaction: transaction, answer: answer))
        }
        for await _ in answers {}
        try Task.checkCancellation()
    }

    /// Closes the forms, as the customer does. No later form waits.
    func close() {
        for form in takeForms(leaving: nil) { form.answer.finish() }
    }

    /// Asks for a refund, which the session grants immediately.
    func ask(forRefundOf transaction: String) async throws {
        let account = try await service.account(SessionHost.customer)
        let request = try await AskingForRefund(context)(
            TransactionIdentifier(transaction), of: account.identifier, because: .other, comment: nil)
        _ = try await DecidingRefund(context).approve(request.identifier)
    }

    /// Removes and returns the forms that wait, oldest first.
    func takeForms(leaving rest: [Form]? = []) -> [Form] {
        forms.withLock { forms in
            defer { forms = forms == nil ? nil : rest }
            return forms ?? []
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
