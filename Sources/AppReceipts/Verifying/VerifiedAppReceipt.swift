// SPDX-License-Identifier: Apache-2.0

/// An app receipt that a trusted store signed. Only an ``AppReceiptVerifier``
/// makes one, so a function that takes one can rely on it.
public struct VerifiedAppReceipt: Sendable {
    /// What the store says.
    public let contents: AppReceipt

    init(verified contents: AppReceipt) {
        self.contents = contents
    }
}
