// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDomain

extension Control {
    /// Sets how the store delivers the notifications of an account, or of all
    /// accounts.
    package struct DeliveryModeCall: Codable, Sendable {
        /// The e-mail address of an account; absent for all accounts without a
        /// mode of their own.
        package var account: String?
        /// Whether an address receives each notification twice.
        package var isSentTwice: Bool?
        /// Whether a notification waits for the next one of its original
        /// transaction, and is sent after it.
        package var isOutOfOrder: Bool?
        /// The seconds from the cause to the first attempt, in the account's
        /// time.
        package var delay: Int64?
        /// Whether notifications aren't sent.
        package var isDropped: Bool?
        /// The number of attempts of each notification that fail as if the
        /// address answered with the status 500.
        package var failures: Int64?

        package init(account: String? = nil) {
            self.account = account
        }

        /// The mode to set; the usual one removes it.
        var mode: DeliveryMode {
            var mode = DeliveryMode()
            mode.isSentTwice = isSentTwice ?? false
            mode.isOutOfOrder = isOutOfOrder ?? false
            mode.delay = .seconds(delay ?? 0)
            mode.isDropped = isDropped ?? false
            mode.failures = failures ?? 0
            return mode
        }
    }

    /// Lists the modes that were set.
    package struct DeliveryModesCall: Codable, Sendable {
        package init() {}
    }

    /// The modes that were set, that of all accounts first.
    package struct DeliveryModesAnswer: Codable, Sendable {
        package var modes: [DeliveryModeCall]
    }
}

extension StoreService {
    /// Carries out the calls about delivery modes.
    func controlDeliveryModes(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        let setting = SettingDeliveryMode(context)
        if verb == .setDeliveryMode {
            let call = try decode(Control.DeliveryModeCall.self, from: body, of: verb.rawValue)
            // A mode applies to those that are signed while it is set.
            await signNotifications()
            try await setting(call.mode, email: call.account)
        } else {
            _ = try decode(Control.DeliveryModesCall.self, from: body, of: verb.rawValue)
        }
        return try encode(
            Control.DeliveryModesAnswer(modes: try await setting().map(Control.DeliveryModeCall.init)))
    }
}

extension Control.DeliveryModeCall {
    init(_ setting: SettingDeliveryMode.Setting) {
        self.init(account: setting.email)
        isSentTwice = setting.mode.isSentTwice
        isOutOfOrder = setting.mode.isOutOfOrder
        delay = setting.mode.delay.milliseconds / 1000
        isDropped = setting.mode.isDropped
        failures = setting.mode.failures
    }
}
