// SPDX-License-Identifier: Apache-2.0

import StoreAPI
package import StoreDomain

/// The redemption of codes.
extension StoreService {
    func redemption(_ call: RedemptionCall, _ message: StoreMessage) async throws -> SheetAnswer {
        let recorded = try await AskingForRedemption(context)(
            RequestIdentifier(call.requestIdentifier), of: BundleIdentifier(call.bundleIdentifier), on: message.device)
        return SheetAnswer(sheet: recorded.sheet.map(sheetAddress), failure: recorded.request.failure)
    }

    /// The product and the terms of a code that an account would redeem on a
    /// sheet now.
    ///
    /// - Throws: The errors of `RedeemingCode`.
    package func terms(of code: String, onSheet token: String, as account: Account) async throws -> CodeTerms {
        try requireCurrentSchema()
        return try await RedeemingCode(context).terms(of: code, onSheet: token, account: account)
    }

    /// Redeems a code on a sheet, on the terms that were `shown`.
    ///
    /// - Returns: The request, as ``buy(onSheet:as:shown:contact:method:tokens:)``
    ///   does.
    /// - Throws: The errors of `RedeemingCode`; `DomainError` `clock`.
    package func redeem(
        _ code: String, onSheet token: String, as account: Account, shown: AgreedTerms?
    ) async throws -> DeviceRequest {
        try requireCurrentSchema()
        try requireDeliverable()
        faults("sheet:before")
        let outcome = try await RedeemingCode(context)(
            code: code, sheet: token, account: account, shown: shown)
        report(outcome)
        faults("sheet:after")
        return outcome.request
    }
}
