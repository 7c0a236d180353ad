// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    /// The newest version of the contract with the operator.
    struct Contract: Encodable {
        var number: Int64
        var due: String
    }

    struct Acceptance: Encodable {
        var number: Int64
        var name: String
        var accepted: String
    }

    struct BankAccount: Encodable {
        var holder: String
        /// The first two and the last four characters.
        var iban: String
        var bic: String
    }

    struct TaxForm: Encodable {
        var legalName: String
        var address: String
        var country: String
        /// The last three characters.
        var taxNumber: String
    }

    struct Agreements: Encodable {
        /// Whether it is the operator's own team, which needs no contract.
        var isOperator: Bool
        var missing: [String]
        var contract: Contract?
        var acceptance: Acceptance?
        var bank: BankAccount?
        var tax: TaxForm?
        /// The number of changes of both forms.
        var version: Int64
    }
}

extension ConnectAnswers.Agreements {
    init(_ found: TeamAgreements) {
        self.init(
            isOperator: found.isOperator, missing: found.missing.map(\.rawValue),
            contract: found.newest.map { ConnectAnswers.Contract(number: $0.number, due: $0.due.iso8601) },
            acceptance: found.accepted.map {
                ConnectAnswers.Acceptance(number: $0.number, name: $0.name, accepted: $0.accepted.iso8601)
            },
            bank: found.payee.bank.map {
                ConnectAnswers.BankAccount(holder: $0.holder, iban: $0.iban.masked, bic: $0.bic)
            },
            tax: found.payee.tax.map {
                ConnectAnswers.TaxForm(
                    legalName: $0.legalName, address: $0.address, country: $0.country, taxNumber: $0.maskedNumber)
            },
            version: found.payee.version)
    }
}
