// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension SandboxProblem {
    /// The newest problems of an app, newest first.
    static func newest(of app: BundleIdentifier, limit: Int, _ db: StoreTransaction) throws -> [SandboxProblem] {
        try db.rows(
            """
            SELECT at, contents FROM sandbox_problem WHERE environment = $1 AND bundle_id = $2
            ORDER BY at DESC, problem_id DESC LIMIT $3
            """, [db.environment.rawValue, app, limit]
        ).compactMap { row in
            let contents: String = try row.get("contents")
            // A newer version may have other subjects.
            guard let subject = try? JSONDecoder().decode(Subject.self, from: Data(contents.utf8)) else { return nil }
            return SandboxProblem(at: WallTime(milliseconds: try row.get("at")), app: app, subject: subject)
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
