// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkVerificationResultAPI<Value: Hashable & Sendable>(_ result: VerificationResult<Value>) throws -> Value {
    let _: any Hashable & Sendable = result
    let _: Value = result.unsafePayloadValue
    let _: Value = try result.payloadValue
    switch result {
    case .verified(let value): return value
    case .unverified(let value, let error):
        let _: VerificationResult<Value>.VerificationError = error
        return value
    }
}

func checkVerificationErrorAPI(_ error: VerificationResult<Any>.VerificationError) -> String? {
    let _: any Hashable & LocalizedError = error
    switch error {
    case .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification: return error.errorDescription
    case .invalidEncoding, .invalidSignature: return error.failureReason
    case .missingRequiredProperties: return error.recoverySuggestion
    @unknown default: return nil
    }
}

func checkSignedTransactionAPI(_ result: VerificationResult<Transaction>) {
    let _: String = result.jwsRepresentation
    let _: [Data] = [result.headerData, result.payloadData, result.signatureData, result.signedData]
    _ = result.signature
    let _: Date = result.signedDate
    let _: Data = result.deviceVerification
    let _: UUID = result.deviceVerificationNonce
    let _: String = result.debugDescription
}

func checkSignedRenewalInfoAPI(_ result: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) {
    let _: String = result.jwsRepresentation
    let _: [Data] = [result.headerData, result.payloadData, result.signatureData, result.signedData]
    _ = result.signature
    let _: Date = result.signedDate
    let _: Data = result.deviceVerification
    let _: UUID = result.deviceVerificationNonce
}

func checkSignedAppTransactionAPI(_ result: VerificationResult<AppTransaction>) {
    let _: String = result.jwsRepresentation
    let _: [Data] = [result.headerData, result.payloadData, result.signatureData, result.signedData]
    _ = result.signature
    let _: Date = result.signedDate
    let _: Data = result.deviceVerification
    let _: UUID = result.deviceVerificationNonce
}
