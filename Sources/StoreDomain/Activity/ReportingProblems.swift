// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import Synchronization

/// Saves the refusals of a sandbox for the live page, outside of the requests'
/// own transactions.
package struct ReportingProblems: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Saves a refusal of a request of an app.
    ///
    /// - Throws: `DatabaseError`.
    package func callAsFunction(_ subject: SandboxProblem.Subject, of app: BundleIdentifier) async throws {
        guard environment == .sandbox else { return }
        let identifier = random.hexadecimal(bytes: 8)
        try await write(.key("problems of \(app)")) { db in
            let subject = try Self.completed(subject, of: app, db)
            try SandboxProblem(at: db.now, app: app, subject: subject).insert(named: identifier, db)
        }
    }

    /// The subject with the products that aren't for sale because they lack a
    /// value.
    private static func completed(
        _ subject: SandboxProblem.Subject, of app: BundleIdentifier, _ db: StoreTransaction
    ) throws -> SandboxProblem.Subject {
        guard case .products(let refused, let count) = subject else { return subject }
        let completed = try refused.map { refused in
            guard refused.reason == .notCleared else { return refused }
            let product = ProductIdentifier(refused.product)
            let lacksValue = try !ProductRegistration.known(product, of: app, db).missing.isEmpty
            return lacksValue ? SandboxProblem.Refused(product, .incomplete) : refused
        }
        return .products(completed, count: count)
    }
}

/// The number of problems of each app that a process has saved in the present
/// minute, so that a client in a loop doesn't fill the table.
package final class ProblemLimit: Sendable {
    private struct Minute {
        var number: Int64 = 0
        var counts: [BundleIdentifier: Int] = [:]
    }

    /// The most apps in a minute. Devices choose identifiers, which needn't be
    /// those of apps.
    private static let apps = 1000

    private let minute = Mutex(Minute())

    package init() {}

    /// Whether another problem of an app is saved.
    package func take(_ app: BundleIdentifier, at now: WallTime) -> Bool {
        minute.withLock { minute in
            let number = now.milliseconds / 60_000
            if minute.number != number { minute = Minute(number: number) }
            guard let count = minute.counts[app] else {
                guard minute.counts.count < Self.apps else { return false }
                minute.counts[app] = 1
                return true
            }
            guard count < SandboxProblem.perMinute else { return false }
            minute.counts[app] = count + 1
            return true
        }
    }
}
