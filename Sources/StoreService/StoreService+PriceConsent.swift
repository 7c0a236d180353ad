// SPDX-License-Identifier: Apache-2.0

import StoreAPI
package import StoreDomain

/// The consent of customers to price increases.
extension StoreService {
    func priceConsent(_ call: PriceConsentCall, _ message: StoreMessage) async throws -> SheetAnswer {
        let answer = try await RequiringPriceConsent(context)(
            RequestIdentifier(call.requestIdentifier), of: BundleIdentifier(call.bundleIdentifier), on: message.device)
        switch answer {
        case .sheet(let token): return SheetAnswer(sheet: sheetAddress(token))
        case .failed(let failure): return SheetAnswer(failure: failure)
        case .nothing: return SheetAnswer()
        }
    }

    /// Records on a sheet that the customer agrees to the higher price of a
    /// subscription, on the terms that were `shown`.
    ///
    /// - Returns: The request that waits for a parent of a child; `nil` after an
    ///   agreement.
    /// - Throws: `DomainError`: `notFound`, `sheetUsed`, `sheetExpired`,
    ///   `invalid` for another kind of sheet, `priceChanged`.
    @discardableResult
    package func agree(
        onSheet token: String, to original: OriginalTransactionIdentifier?, as account: Account, shown: AgreedTerms?
    ) async throws -> DeviceRequest? {
        try requireCurrentSchema()
        faults("sheet:before")
        let asked = try await AnsweringSheet(context).agree(token, to: original, account: account, shown: shown)
        faults("sheet:after")
        return asked
    }
}
