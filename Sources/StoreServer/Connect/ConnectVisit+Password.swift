// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// The present password in the forms that open a door.
extension ConnectVisit {
    var presentPassword: ConsoleField {
        field(
            ConsoleField(
                "password", OwnWords.words(language).present, type: "password",
                autocomplete: "current-password"))
    }

    /// Checks the present password that a form has.
    ///
    /// - Throws: The errors of `ChangingOwnUser.confirm`.
    func confirm(_ form: ConnectForm) async throws {
        try await service.changingOwnUser().confirm(present: form["password"], of: user)
    }
}
