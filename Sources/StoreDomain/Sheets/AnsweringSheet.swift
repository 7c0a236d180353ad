// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Cancels a sheet, or signs in on it. ``Buying`` confirms the sheet of a
/// payment.
package struct AnsweringSheet: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Cancels the sheet, and fails its request.
    ///
    /// - Returns: The request after the answer.
    /// - Throws: ``DomainError``: `notFound`, `sheetUsed`, `sheetExpired`.
    @discardableResult
    package func cancel(_ token: String) async throws -> DeviceRequest {
        try await write(.key(token)) { db in
            var (sheet, request) = try Self.open(token, db)
            guard try sheet.move(from: .open, to: .cancelled, db) else {
                throw Self.overtaken
            }
            sheet.status = .cancelled
            request.fail(.cancelled)
            try request.update(db)
            try DeviceNews.append(request, db)
            return request
        }
    }

    /// Confirms a sign-in sheet, and signs the account in on the sheet's
    /// device.
    ///
    /// - Returns: The request after the answer.
    /// - Throws: ``DomainError``: `notFound`, `sheetUsed`, `sheetExpired`,
    ///   `invalid` for a sheet of a payment, `wrongPassword` when the account
    ///   was closed, or its password changed, since it was checked.
    @discardableResult
    package func signIn(_ token: String, account: Account) async throws -> DeviceRequest {
        try await write(for: account.identifier) { db in
            var (sheet, request) = try Self.open(token, db)
            guard request.kind == .signIn else {
                throw DomainError(.invalid, "This page asks for a payment: answer it with buy or cancel.")
            }
            guard try sheet.move(from: .open, to: .confirmed, db) else {
                throw Self.overtaken
            }
            try Account.require(account, db)
            request.account = account.identifier
            try request.update(db)
            try Device.setAccount(account.identifier, on: sheet.device, db)
            // From now on purchases that no device asks for reach this one.
            try DeviceApp(
                account: account.identifier, bundleIdentifier: request.bundleIdentifier, device: sheet.device
            ).record(db)
            try AppTransaction.record(request.bundleIdentifier, of: account.identifier, db)
            try DeviceNews.append(request, db)
            return request
        }
    }

    static let overtaken = DomainError(.sheetUsed, "This was answered in another window a moment ago.")

    /// An open sheet with its request.
    static func open(_ token: String, _ db: StoreTransaction) throws -> (Sheet, DeviceRequest) {
        guard let sheet = try Sheet.find(token, db),
            let request = try DeviceRequest.find(sheet.requestIdentifier, of: sheet.device, db)
        else { throw ShowingSheet.unknown }
        if let refusal = sheet.refusal(now: db.now) { throw refusal }
        return (sheet, request)
    }
}
