// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// The commands of the probe. Each returns the line of its answer.
enum Commands {
    static func answer(_ command: String) async -> Line {
        let words = command.split(separator: " ").map(String.init)
        do {
            switch (words.first, Array(words.dropFirst())) {
            case ("buy", let words) where (1...2).contains(words.count):
                return try await buy(words[0], account: words.dropFirst().first.flatMap(UUID.init))
            case ("finish", let words) where words.count == 1:
                return await finish(words[0])
            case ("all", []): return await list(Transaction.all)
            case ("unfinished", []): return await list(Transaction.unfinished)
            case ("entitlements", []): return await list(Transaction.currentEntitlements)
            case ("statuses", let words) where words.count == 1:
                let statuses = try await Product.SubscriptionInfo.status(for: words[0])
                return Line(event: .answer, statuses: statuses.map(ShownStatus.init))
            case ("sync", []):
                try await AppStore.sync()
                return Line(event: .answer, outcome: "done")
            default:
                return Line(event: .answer, outcome: "unknown command")
            }
        } catch {
            return Line(event: .answer, outcome: "\(error)")
        }
    }

    private static func buy(_ identifier: String, account: UUID?) async throws -> Line {
        guard let product = try await Product.products(for: [identifier]).first else {
            return Line(event: .answer, outcome: "no such product")
        }
        switch try await product.purchase(options: account.map { [.appAccountToken($0)] } ?? []) {
        case .success(let result): return Line(event: .answer, transactions: [Shown(result)], outcome: "success")
        case .userCancelled: return Line(event: .answer, outcome: "cancelled")
        case .pending: return Line(event: .answer, outcome: "pending")
        }
    }

    private static func finish(_ number: String) async -> Line {
        for await result in Transaction.unfinished where "\(result.unsafePayloadValue.id)" == number {
            await result.unsafePayloadValue.finish()
            return Line(event: .answer, transactions: [Shown(result)], outcome: "finished")
        }
        return Line(event: .answer, outcome: "not unfinished")
    }

    private static func list(_ transactions: Transaction.Transactions) async -> Line {
        var line = Line(event: .answer)
        for await result in transactions { line.transactions.append(Shown(result)) }
        return line
    }
}
