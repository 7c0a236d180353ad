// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Crypto
import Foundation

/// Binds a signed payload to a device: the app compares the value with that
/// of its own device.
///
/// The value is the SHA-384 hash of a nonce and the device's identifier, each
/// as the lower-case text of a UUID (`Transaction.deviceVerification`).
struct DeviceVerification: Sendable {
    /// A UUID in lower case.
    var nonce: String
    /// Base64.
    var value: String

    /// The binding to a device; `nil` for an identifier that isn't 16 bytes in
    /// hexadecimal.
    init?(_ device: DeviceIdentifier, nonce: String) {
        let digits = Array(device.rawValue)
        guard digits.count == 32 else { return nil }
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        let text = nonce + groups.joined(separator: "-")
        self.nonce = nonce
        value = Data(SHA384.hash(data: Data(text.utf8))).base64EncodedString()
    }
}

/// A payload that can be bound to a device.
protocol BoundPayload: SignedPayload {
    /// Adds the fields of a binding.
    mutating func bind(_ verification: DeviceVerification)
}

extension TransactionPayload: BoundPayload {
    mutating func bind(_ verification: DeviceVerification) {
        self.deviceVerification = verification.value
        self.deviceVerificationNonce = verification.nonce
    }
}

extension RenewalInfoPayload: BoundPayload {
    mutating func bind(_ verification: DeviceVerification) {
        self.deviceVerification = verification.value
        self.deviceVerificationNonce = verification.nonce
    }
}

extension AppTransactionPayload: BoundPayload {
    mutating func bind(_ verification: DeviceVerification) {
        self.deviceVerification = verification.value
        self.deviceVerificationNonce = verification.nonce
    }
}
