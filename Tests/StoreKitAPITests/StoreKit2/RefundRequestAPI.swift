// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkRefundRequestAPI(_ transaction: Transaction) async throws {
    // Additions: on Apple's platforms they take a scene or a view controller.
    let status: Transaction.RefundRequestStatus = try await transaction.beginRefundRequest()
    let _: Transaction.RefundRequestStatus = try await Transaction.beginRefundRequest(for: transaction.id)
    let _: any Hashable & Sendable = status
    switch status {
    case .success, .userCancelled: return
    @unknown default: return
    }
}

func checkRefundRequestErrorAPI(_ error: Transaction.RefundRequestError) -> [String?] {
    let _: any LocalizedError & Hashable = error
    switch error {
    case .duplicateRequest, .failed, .ineligible:
        return [error.errorDescription, error.failureReason, error.recoverySuggestion]
    @unknown default: return []
    }
}
