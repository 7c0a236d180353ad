// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

extension Control.AccountAnswer {
    /// The account in one line: the address, then its settings.
    var line: String {
        var notes = [storefront]
        if let name { notes.append(name) }
        if let locale { notes.append(locale) }
        if passwordRule != PasswordRule.afterAWhile.rawValue { notes.append("password: \(passwordRule)") }
        notes += AccountSwitch.all.filter { switches[$0] == true }.map(\.note)
        return "\(email): \(notes.joined(separator: ", "))"
    }
}
