// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreDomain

/// A flag that turns a switch of an account on, or with the prefix `no-` off.
///
/// A flag can't be declared by a property for each switch: the switches are
/// declared in one place, `AccountSwitch.all`.
struct AccountSwitchFlag: EnumerableFlag {
    var setting: AccountSwitch
    var isOn: Bool

    static let allCases = AccountSwitch.all.flatMap { setting in
        [true, false].map { AccountSwitchFlag(setting: setting, isOn: $0) }
    }

    static func name(for flag: AccountSwitchFlag) -> NameSpecification {
        .customLong(flag.isOn ? flag.setting.flag : "no-\(flag.setting.flag)")
    }

    static func help(for flag: AccountSwitchFlag) -> ArgumentHelp? {
        flag.isOn ? ArgumentHelp(flag.setting.help) : "Turn --\(flag.setting.flag) off."
    }

    /// The switches that an operator has named.
    ///
    /// - Throws: `ValidationError` when one is turned on and off.
    static func switches(_ flags: [AccountSwitchFlag]) throws -> [AccountSwitch: Bool] {
        try Dictionary(flags.map { ($0.setting, $0.isOn) }) { first, second in
            guard first == second else {
                throw ValidationError("A switch is turned on or off: leave out one of the two flags.")
            }
            return first
        }
    }
}
