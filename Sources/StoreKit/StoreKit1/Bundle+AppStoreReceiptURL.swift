// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import StoreAgent

#if !canImport(Darwin)
extension Bundle {
    /// Where the app's receipt lies or will lie: its last component is
    /// `sandboxReceipt` in the sandbox and `receipt` in production; `nil`
    /// when StoreKit isn't configured, and for any bundle but the main one.
    ///
    /// Foundation declares the same property on Linux, always `nil`. A file
    /// that imports `StoreKit` alone (which brings Foundation in) gets this
    /// one; in a file that imports both the use is ambiguous.
    public var appStoreReceiptURL: URL? {
        guard self == Bundle.main else { return nil }
        return try? AgentHost.shared.agent().receiptURL
    }
}
#endif
