// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Lists the payments that wait for a customer or a bank.
package struct ListingPayments: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// A pending payment with the names that an operator knows.
    package struct PendingPayment: Sendable {
        package var payment: Payment
        /// The e-mail address of the payer.
        package var email: String
        package var bundleIdentifier: BundleIdentifier
        package var productIdentifier: ProductIdentifier
    }

    /// The pending payments that expire first, at most 500.
    package func callAsFunction() async throws -> [PendingPayment] {
        try await read { db in
            try db.rows(
                """
                SELECT \(Payment.columns), account.email,
                    COALESCE(request.bundle_id, purchase.bundle_id, '') AS bundle_id,
                    COALESCE(request.product_id, purchase.product_id, '') AS product_id
                FROM payment
                JOIN account ON account.environment = payment.environment AND account.account_id = payment.payer_id
                LEFT JOIN request ON request.environment = payment.environment
                    AND request.device_id = payment.device_id AND request.request_id = payment.request_id
                LEFT JOIN purchase ON purchase.environment = payment.environment
                    AND purchase.transaction_id = payment.original_transaction_id
                WHERE payment.environment = $1 AND payment.status = 'pending'
                ORDER BY payment.pending_until, payment.payment_number LIMIT 500
                """, [db.environment.rawValue]
            ).map { row in
                PendingPayment(
                    payment: try Payment(row), email: try row.get("email"), bundleIdentifier: try row.get("bundle_id"),
                    productIdentifier: try row.get("product_id"))
            }
        }
    }
}
