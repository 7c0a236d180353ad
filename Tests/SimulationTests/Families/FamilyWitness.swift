// SPDX-License-Identifier: Apache-2.0

/// Records the answers that parents have given to requests to buy.
final class FamilyWitness {
    /// The accounts that may have paid for a purchase, by the transaction
    /// identifier that it had as a request: its approvers. The answer may be
    /// lost on its way.
    private(set) var approvers: [String: Set<String>] = [:]

    func approves(_ request: String, _ account: String) {
        approvers[request, default: []].insert(account)
    }
}
