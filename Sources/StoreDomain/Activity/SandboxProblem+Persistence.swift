// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension SandboxProblem {
    /// A row of a problem.
    struct Kept: Sendable {
        /// `nil` for a subject of a newer version.
        var problem: SandboxProblem?
        var at: WallTime
        var identifier: String
    }

    /// The newest problems of an app before one, newest first.
    static func newest(
        of app: BundleIdentifier, before last: Kept?, limit: Int, _ db: StoreTransaction
    ) throws -> [Kept] {
        try db.rows(
            """
            SELECT at, problem_id, contents FROM sandbox_problem
            WHERE environment = $1 AND bundle_id = $2 AND (at, problem_id) < ($3, $4)
            ORDER BY at DESC, problem_id DESC LIMIT $5
            """, [db.environment.rawValue, app, last?.at.milliseconds ?? Int64.max, last?.identifier ?? "", limit]
        ).map { row in
            let (at, contents): (Int64, String) = (try row.get("at"), try row.get("contents"))
            let subject = try? JSONDecoder().decode(Subject.self, from: Data(contents.utf8))
            let moment = WallTime(milliseconds: at)
            return Kept(
                problem: subject.map { SandboxProblem(at: moment, app: app, subject: $0) }, at: moment,
                identifier: try row.get("problem_id"))
        }
    }

    /// Saves the problem, unless the store has no such app, and deletes the
    /// app's oldest beyond ``kept``.
    func insert(named identifier: String, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO sandbox_problem (environment, bundle_id, at, problem_id, contents)
            SELECT CAST($1 AS TEXT), bundle_id, CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS TEXT)
            FROM app WHERE bundle_id = $2
            ON CONFLICT (environment, bundle_id, problem_id) DO NOTHING
            """, [db.environment.rawValue, app, at.milliseconds, identifier, try SortedJSON.text(subject.shortened)])
        try db.run(
            """
            DELETE FROM sandbox_problem WHERE environment = $1 AND bundle_id = $2 AND at < (
                SELECT at FROM sandbox_problem WHERE environment = $1 AND bundle_id = $2
                ORDER BY at DESC, problem_id DESC LIMIT 1 OFFSET $3
            )
            """, [db.environment.rawValue, app, Self.kept - 1])
    }
}
