// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDomain
import StoreService

/// The page of a transaction: its values, the customer's view, its events,
/// ledger and notifications, and the forms of a refund and of notifications
/// that are sent again. ``RecordSections`` makes its parts.
struct TransactionPage: ConnectPage {
    static let action: TeamAction? = .seeTransactions

    let transaction: TransactionIdentifier

    static func path(_ transaction: TransactionIdentifier) -> String {
        "\(ConnectPlace.transactions.rawValue)/\(transaction.rawValue.percentEncodedForQuery)"
    }

    func model(_ visit: ConnectVisit) async throws -> ConsoleModel {
        let (record, signed) = try await visit.service.purchaseRecord(transaction, as: visit.user)
        let sections = RecordSections(record, visit)
        var model = ConsoleModel(
            visit, at: .transactions, title: record.purchase.productIdentifier.rawValue,
            sections: [sections.values] + sections.refund + [sections.events, sections.ledger, sections.notifications]
                + sections.others + sections.signed(signed))
        model.above = PageLink(
            ConnectPlace.transactions.rawValue, [:], ConsoleWords.words(visit.language).transactions)
        return model
    }

    func carryOut(_ form: ConnectForm, _ visit: ConnectVisit) async throws -> ConnectOutcome {
        switch form.decision {
        case "refund":
            try await visit.service.refund(
                transaction, amount: form["amount"], identifier: form["refund"], by: visit.user)
            return .visit("\(Self.path(transaction))?done=refunded")
        case "resend":
            try await visit.service.resend(form["notification"], about: transaction, by: visit.user)
            return .visit("\(Self.path(transaction))?done=resent")
        default: throw form.unknown
        }
    }
}
