// SPDX-License-Identifier: Apache-2.0

import Crypto
public import Foundation
import SwiftASN1

extension AppReceipt {
    /// Computes attribute 5, which ties a receipt to one device.
    ///
    /// It is the SHA-1 hash of the device identifier, the opaque value and
    /// the value of attribute 2, in that order. The last one is the whole DER
    /// encoding of the bundle identifier, with its tag and length.
    ///
    /// - Parameters:
    ///   - deviceIdentifier: The identifier's bytes, not its text.
    ///   - opaqueValue: Attribute 4.
    ///   - bundleIdentifier: Attribute 2, decoded.
    /// - Returns: 20 bytes.
    public static func deviceHash(deviceIdentifier: Data, opaqueValue: Data, bundleIdentifier: String) -> Data {
        var hash = Insecure.SHA1()
        hash.update(data: deviceIdentifier)
        hash.update(data: opaqueValue)
        hash.update(data: Array(ReceiptAttribute.utf8(bundleIdentifier)))
        return Data(hash.finalize())
    }

    /// Whether attribute 5 is the hash for that device.
    public func isIssued(toDevice deviceIdentifier: Data) -> Bool {
        deviceHash
            == Self.deviceHash(
                deviceIdentifier: deviceIdentifier, opaqueValue: opaqueValue, bundleIdentifier: bundleIdentifier)
    }
}
