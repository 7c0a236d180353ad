// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import StoreAgent

extension VerificationResult {
    init(_ value: SignedType, _ failure: SignedFailure?) {
        guard let failure else {
            self = .verified(value)
            return
        }
        self = .unverified(value, VerificationError(failure))
    }
}

extension VerificationResult.VerificationError {
    fileprivate init(_ failure: SignedFailure) {
        switch failure {
        case .revokedCertificate: self = .revokedCertificate
        case .invalidCertificateChain: self = .invalidCertificateChain
        case .invalidDeviceVerification: self = .invalidDeviceVerification
        case .invalidEncoding: self = .invalidEncoding
        case .invalidSignature: self = .invalidSignature
        case .missingRequiredProperties: self = .missingRequiredProperties
        }
    }
}

extension VerificationResult<Transaction> {
    init(_ row: SignedRow, of agent: Agent) {
        let verdict = agent.verdict(row)
        self.init(
            Transaction(verdict.payload ?? TransactionPayload(), signed: SignedText(text: row.signed)),
            AgentHost.shared.simulatedDistrust(of: agent) ?? verdict.failure)
    }
}

extension VerificationResult<Product.SubscriptionInfo.RenewalInfo> {
    /// The renewal of a subscription, beside the transaction of its newest
    /// period.
    init(_ row: SignedRenewalRow, beside transaction: VerificationResult<Transaction>, of agent: Agent) {
        let verdict = agent.verdict(row, of: transaction.unsafePayloadValue.payload)
        self.init(
            Product.SubscriptionInfo.RenewalInfo(
                verdict.payload ?? RenewalInfoPayload(), signed: SignedText(text: row.signed)),
            AgentHost.shared.simulatedDistrust(of: agent) ?? verdict.failure)
    }
}

extension VerificationResult<AppTransaction> {
    init(_ signed: String, of agent: Agent) {
        let verdict = agent.verdict(app: signed)
        self.init(
            AppTransaction(verdict.payload ?? AppTransactionPayload(), signed: SignedText(text: signed)),
            AgentHost.shared.simulatedDistrust(of: agent) ?? verdict.failure)
    }
}
