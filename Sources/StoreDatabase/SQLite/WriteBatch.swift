// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Writes that share one transaction, and therefore one flush to the disk.
///
/// Each closure runs in its own savepoint. All callers are answered after the
/// commit, even those whose closure threw: the error may depend on rows that
/// an earlier closure of the batch wrote, which are durable only after the
/// commit.
struct WriteBatch {
    let database: GRDB.Database
    let errors: SQLiteErrors
    let texts: StatementTexts
    let didCommit: () -> Void

    /// Runs the closures and answers all their callers.
    func run(_ jobs: [ClosureJob]) {
        guard !jobs.isEmpty else { return }
        do {
            // IMMEDIATE takes the write lock here, where SQLite's busy handler
            // waits for other processes. Without it a later statement could
            // fail.
            try database.command("BEGIN IMMEDIATE")
        } catch {
            return fail(jobs, errors.map(error))
        }
        var attempts: [ClosureJob.Attempt] = []
        for job in jobs {
            do {
                attempts.append(try runInSavepoint(job))
            } catch {
                return startAgain(jobs, after: error)
            }
        }
        commit(jobs, attempts)
    }

    private func commit(_ jobs: [ClosureJob], _ attempts: [ClosureJob.Attempt]) {
        do {
            try database.command("COMMIT")
        } catch {
            rollback()
            // SQLite checks deferred foreign keys at the commit. Running each
            // closure alone finds the one that violates them. Any other
            // failure applies to all closures.
            if jobs.count > 1, ResultCode.SQLITE_CONSTRAINT ~= error {
                return jobs.forEach { run([$0]) }
            }
            return fail(jobs, errors.map(error))
        }
        didCommit()
        for attempt in attempts {
            attempt.answer()
        }
    }

    /// Runs one closure and undoes its changes alone when it throws.
    ///
    /// - Throws: ``TransactionLost`` when the shared transaction can't
    ///   continue.
    private func runInSavepoint(_ job: ClosureJob) throws -> ClosureJob.Attempt {
        let connection = SQLiteConnection(database, access: .write, errors: errors, texts: texts)
        do {
            try database.command("SAVEPOINT closure")
        } catch {
            throw TransactionLost(error: errors.map(error), attempt: nil)
        }
        let attempt = job.attempt(connection)
        guard database.isInsideTransaction else {
            throw TransactionLost(error: connection.failure ?? errors.lostTransaction, attempt: attempt)
        }
        do {
            if attempt.error != nil { try database.command("ROLLBACK TO closure") }
            try database.command("RELEASE closure")
        } catch {
            throw TransactionLost(error: errors.map(error), attempt: nil)
        }
        return attempt
    }

    /// Runs the closures again, each in a transaction of its own, so that only
    /// those that fail on their own fail. SQLite undoes the whole transaction
    /// after some errors, a full disk for example.
    private func startAgain(_ jobs: [ClosureJob], after error: any Error) {
        rollback()
        guard jobs.count == 1 else {
            return jobs.forEach { run([$0]) }
        }
        let lost = error as? TransactionLost
        if let attempt = lost?.attempt, attempt.error != nil {
            attempt.answer()
        } else {
            // The closure caught the error, or a savepoint failed: its changes
            // are undone.
            fail(jobs, lost?.error ?? error)
        }
    }

    private func fail(_ jobs: [ClosureJob], _ error: any Error) {
        for job in jobs {
            job.fail(error)
        }
    }

    private func rollback() {
        // Does nothing if SQLite has rolled back already. If it fails, GRDB
        // detects the open transaction and ends the process.
        try? database.rollback()
    }
}

/// The shared transaction can't be committed; the changes of all its closures
/// are undone.
private struct TransactionLost: Error {
    let error: any Error
    let attempt: ClosureJob.Attempt?
}
