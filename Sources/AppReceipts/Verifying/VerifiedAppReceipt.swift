// SPDX-License-Identifier: Apache-2.0

/// An app receipt that a trusted store signed. Only an ``AppReceiptVerifier``
/// creates one, so that a function with this parameter can rely on it.
public struct VerifiedAppReceipt: Sendable {
    /// The contents of the receipt.
    public let contents: AppReceipt

    init(verified contents: AppReceipt) {
        self.contents = contents
    }
}
