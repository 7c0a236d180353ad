// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreDatabase

@testable import StoreAgent

// The mistakes of signed transactions.
extension SimulatedConnection {
    /// A page as it is received under the world's mistake.
    func garbledPage(_ data: Data) throws -> Data {
        var answer = try StoreCoding.decode(SignedTransactionsCall.Answer.self, from: data)
        if world.mistake == .refundsAreNotPaged { answer.transactions.removeAll(where: Self.isRefunded) }
        if world.mistake == .signaturesAreDamaged, let last = answer.transactions.indices.last {
            answer.transactions[last].signed = String(answer.transactions[last].signed.dropLast(4)) + "AAAA"
        }
        let app = device.processes.first { $0.life === life }
        app?.transactions?.nextPlace = answer.next
        return try StoreCoding.encode(answer)
    }

    private static func isRefunded(_ info: SignedTransactionInfo) -> Bool {
        (try? UnverifiedJWS<TransactionPayload>(parsing: info.signed))?.payload.revocationDate != nil
    }
}

extension SimulatedTransactions {
    /// Saves the place of the page that was received last, without the page.
    func skipPage() {
        guard let nextPlace else { return }
        try? agent.journal.database.writeAndWait { connection in
            try SignedState.update(connection) { state in
                if state.account != nil { state.place = nextPlace }
            }
        }
    }
}
