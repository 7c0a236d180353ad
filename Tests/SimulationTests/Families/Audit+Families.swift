// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// Checks of families: the payers, the shared purchases and the notified parents.
extension Audit {
    func familiesAgree() {
        guard let families = world.families else { return }
        approversPay(families)
        sharesEqualPurchases()
        for (notice, count) in books.notices.sorted(by: { $0.key < $1.key }) where count > 1 {
            witness.complain("\(notice) was announced to a parent \(count) times")
        }
    }

    /// A purchase that a child has asked for is paid by an account that has
    /// approved it, and every other one by the account that has it.
    private func approversPay(_ families: FamilyWitness) {
        for charge in books.charges where charge.price.milliunits > 0 {
            let payers = charge.wasDeferred ? families.approvers[charge.transaction] ?? [] : [charge.account]
            if !payers.contains(charge.payer) {
                witness.complain("\(charge.transaction) was paid by \(charge.payer), who hasn't approved it")
            }
        }
    }

    /// Each member has each purchase that another one shares, once, and no
    /// other account has it.
    private func sharesEqualPurchases() {
        let accounts = world.accounts.map(\.account.identifier.rawValue)
        for owner in accounts {
            let own = books.charges.filter {
                $0.account == owner && $0.source == nil && $0.product == "apple" && !$0.isRefunded
                    && $0.original == $0.transaction
            }.map(\.transaction).sorted()
            for member in accounts where member != owner {
                let areFamily = books.family.isSuperset(of: [owner, member])
                let held = books.charges.filter { $0.account == member && !$0.isRefunded && $0.source?.owner == owner }
                    .compactMap(\.source?.transaction).sorted()
                if held != (areFamily ? own : []) {
                    witness.complain("\(member) has \(held) of \(own), which \(owner) \(areFamily ? "shares" : "has")")
                }
            }
        }
    }
}
