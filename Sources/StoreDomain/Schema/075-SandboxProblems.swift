// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The refusals that the live page of a sandbox shows.
    static let sandboxProblems = Migration(
        "075 sandbox problems",
        [
            // `contents` is the JSON of a SandboxProblem's subject.
            """
            CREATE TABLE sandbox_problem (
                environment TEXT NOT NULL,
                bundle_id TEXT NOT NULL,
                at BIGINT NOT NULL,
                problem_id TEXT NOT NULL,
                contents TEXT NOT NULL,
                PRIMARY KEY (environment, bundle_id, problem_id)
            )
            """,
            "CREATE INDEX sandbox_problem_of_app ON sandbox_problem (environment, bundle_id, at, problem_id)",
            "CREATE INDEX sandbox_problem_age ON sandbox_problem (environment, at, bundle_id, problem_id)",
        ])
}
