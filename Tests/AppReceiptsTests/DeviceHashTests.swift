// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Testing

struct DeviceHashTests {
    /// The expected value was computed by
    /// `printf '\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\312\376\14\13com.example' | openssl sha1`.
    @Test("The device hash is the SHA-1 of the device, the opaque value and the encoded bundle identifier")
    func isSHA1OfDeviceOpaqueValueAndEncodedBundleIdentifier() {
        let hash = AppReceipt.deviceHash(
            deviceIdentifier: Data((0..<16).map { UInt8($0) }), opaqueValue: Data([0xCA, 0xFE]),
            bundleIdentifier: "com.example")

        #expect(hash.hexadecimalDigits == "1c803eff52bde69bbd175265f6c48f0521447e70")
    }

    @Test("A receipt is issued to its own device and to no other") func tellsDevicesApart() {
        #expect(Fixtures.receipt().isIssued(toDevice: Fixtures.device))
        #expect(!Fixtures.receipt().isIssued(toDevice: Data(Fixtures.device.reversed())))
        #expect(!Fixtures.receipt().isIssued(toDevice: Data()))
    }
}
