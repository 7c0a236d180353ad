// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Writes that share one transaction, and with it one flush to the disk.
///
/// Each closure is a savepoint of its own. All answers wait for the commit,
/// even an error that a closure threw: it may have thrown because of what a
/// closure before it wrote, and that isn't durable until then.
struct WriteBatch {
    let database: GRDB.Database
    let errors: SQLiteErrors
    let didCommit: () -> Void

    /// Runs the closures and answers all of them.
    func run(_ jobs: [ClosureJob]) {
        guard !jobs.isEmpty else { return }
        do {
            // IMMEDIATE takes the lock now: another process' write makes this
            // wait (SQLite's busy handler), instead of failing half way.
            try command("BEGIN IMMEDIATE")
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
            try command("COMMIT")
        } catch {
            rollback()
            // A deferred foreign key speaks up only now, and one closure is to
            // blame for it; any other failure is everybody's.
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

    /// Runs one closure, undoing it alone when it throws.
    ///
    /// - Throws: ``TransactionLost`` when the shared transaction is gone.
    private func runInSavepoint(_ job: ClosureJob) throws -> ClosureJob.Attempt {
        let connection = SQLiteConnection(database, access: .write, errors: errors)
        do {
            try command("SAVEPOINT closure")
        } catch {
            throw TransactionLost(error: errors.map(error), attempt: nil)
        }
        let attempt = job.attempt(connection)
        guard database.isInsideTransaction else {
            throw TransactionLost(error: connection.failure ?? errors.lostTransaction, attempt: attempt)
        }
        do {
            if attempt.error != nil { try command("ROLLBACK TO closure") }
            try command("RELEASE closure")
        } catch {
            throw TransactionLost(error: errors.map(error), attempt: nil)
        }
        return attempt
    }

    /// After some errors (a full disk) SQLite undoes the whole transaction.
    /// The closures then run again, each in a transaction of its own, so that
    /// only the one that can't be done fails.
    private func startAgain(_ jobs: [ClosureJob], after error: any Error) {
        rollback()
        guard jobs.count == 1 else {
            return jobs.forEach { run([$0]) }
        }
        let lost = error as? TransactionLost
        if let attempt = lost?.attempt, attempt.error != nil {
            attempt.answer()
        } else {
            // The closure caught the error; what it did is gone nevertheless.
            fail(jobs, lost?.error ?? error)
        }
    }

    private func fail(_ jobs: [ClosureJob], _ error: any Error) {
        for job in jobs {
            job.fail(error)
        }
    }

    private func rollback() {
        // Does nothing where SQLite has rolled back already. Should it fail,
        // GRDB finds the transaction left open and ends the process.
        try? database.rollback()
    }

    private func command(_ sql: String) throws {
        try database.cachedStatement(sql: sql).execute()
    }
}

/// The shared transaction is gone, and with it what every closure did.
private struct TransactionLost: Error {
    let error: any Error
    let attempt: ClosureJob.Attempt?
}
