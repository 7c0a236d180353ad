// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreCore

extension IssuingReceipt {
    /// The bytes of the purchases in a notification's receipt. Each
    /// notification is a row, so that its receipt is smaller than a device's.
    private static let notifiedRoom = 256 << 10
    static let mostNotified = notifiedRoom / 100

    /// Signs a receipt of an account's purchases for a notification of version
    /// 1, with the rules of ``ReceiptSelection`` when there is no room for all.
    /// It is for the device that has asked for the purchase; without one, for
    /// no device.
    func callAsFunction(
        notifying contents: UnifiedReceiptContents, of purchase: Purchase
    ) async throws -> Data {
        let device = purchase.device.flatMap { Data(hexadecimal: $0.rawValue) } ?? random.bytes(16)
        var receipt = empty(
            at: contents.now, for: device, bundleIdentifier: purchase.bundleIdentifier, applicationVersion: "1.0")
        receipt.set(contents.app, contents.numbers)
        let selection = ReceiptSelection(of: contents.entries, at: contents.now, room: Self.notifiedRoom)
        try await authority.refreshIfStale(now: now.date)
        let signed = try authority.sign(receipt, appending: selection.listed)
        context.meters.count(.receipt)
        return signed
    }
}
