// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The requests of the App Store Server API that change something, without
/// HTTP.
extension StoreService {
    /// Finishes a transaction on all devices.
    ///
    /// - Throws: `ServerError`, `DatabaseError`.
    package func finishTransaction(_ transaction: TransactionIdentifier, of app: BundleIdentifier) async throws {
        try await FinishingServedTransaction(context)(transaction, in: app)
    }

    /// Sets the `appAccountToken` of a purchase.
    ///
    /// - Throws: The errors of ``finishTransaction(_:of:)``.
    package func setAccountToken(
        _ token: String, on transaction: TransactionIdentifier, of app: BundleIdentifier
    ) async throws {
        try await SettingAccountToken(context)(token, of: transaction, in: app)
    }

    /// Saves a seller's information about a purchase whose refund was asked
    /// for.
    ///
    /// - Throws: The errors of ``finishTransaction(_:of:)``.
    package func saveConsumption(
        _ consumption: Consumption, about transaction: TransactionIdentifier, of app: BundleIdentifier
    ) async throws {
        try await SavingConsumption(context)(consumption, about: transaction, in: app)
    }

    /// Extends the running period of a subscription.
    ///
    /// - Throws: The errors of ``finishTransaction(_:of:)``.
    package func extendRenewalDate(
        _ original: TransactionIdentifier, of app: BundleIdentifier, by order: RenewalExtension
    ) async throws -> ServerAnswers.ExtendedRenewalDate {
        let extended = try await ExtendingServedSubscription(context)(original, in: app, by: order)
        return ServerAnswers.ExtendedRenewalDate(
            effectiveDate: extended.expires.wholeSeconds.milliseconds,
            originalTransactionId: extended.original.rawValue,
            success: true, webOrderLineItemId: extended.webOrder.rawValue)
    }

    /// Orders the extension of the subscriptions of all subscribers of a
    /// product, which ``carryOutMassExtensions()`` carries out.
    ///
    /// - Throws: The errors of ``finishTransaction(_:of:)``.
    package func orderMassExtension(
        _ product: ProductIdentifier, of app: BundleIdentifier, by order: RenewalExtension, storefronts: Set<String>
    ) async throws -> ServerAnswers.MassExtension {
        try await OrderingMassExtension(context)(product, in: app, by: order, storefronts: storefronts)
        return ServerAnswers.MassExtension(requestIdentifier: order.request.rawValue)
    }

    /// The progress of such an order.
    ///
    /// - Throws: The errors of ``finishTransaction(_:of:)``.
    package func massExtension(
        _ request: RenewalExtensionIdentifier, product: ProductIdentifier, of app: BundleIdentifier
    ) async throws -> ServerAnswers.MassExtensionStatus {
        let order = try await OrderingMassExtension(context).progress(of: request, product: product, in: app)
        let isComplete = order.completed != nil
        return ServerAnswers.MassExtensionStatus(
            requestIdentifier: request.rawValue, complete: isComplete, completeDate: order.completed?.milliseconds,
            succeededCount: isComplete ? order.succeeded : nil, failedCount: isComplete ? order.failed : nil)
    }

    /// Extends subscriptions by the orders for all subscribers of a product.
    /// One that fails is logged, and tried again in the next round.
    package func carryOutMassExtensions() async {
        do {
            try await CarryingOutMassExtensions(context)() { [self] error in
                _ = failure(of: error, at: "extending subscribers")
            }
        } catch {
            _ = failure(of: error, at: "extending subscribers")
        }
    }
}
