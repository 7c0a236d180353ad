// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// A thread with a connection, which runs jobs of the pool.
final class Worker {
    /// From this number of failed attempts on, a write that conflicts runs
    /// alone.
    private static let sharedAttempts = 3

    private let pool: Pool
    private let opening: SessionOpening
    private let pauses: RetryPauses
    private var session: Session?

    private var options: PostgreSQLDatabase.Options { opening.options }

    init(pool: Pool, opening: SessionOpening, pauses: RetryPauses) {
        self.pool = pool
        self.opening = opening
        self.pauses = pauses
    }

    /// The end of a run of a job.
    private enum Outcome {
        /// It has ended; its caller is to be answered.
        case done(Transaction.Answer)
        /// It has to run again with these options.
        case again(PooledWork)
    }

    /// Runs jobs until the pool is closed.
    ///
    /// A caller is answered when the thread is free: its next job needs no
    /// thread of its own then.
    func run() {
        while let work = pool.next() {
            switch perform(work) {
            case .done(let answer):
                pool.finish(work)
                answer()
            case .again(let changed):
                pool.finish(work, again: changed)
            }
        }
        session = nil
        pool.workerHasEnded()
    }

    /// Runs a job until it has ended, or has to wait in another queue of the
    /// scheduler.
    private func perform(_ first: PooledWork) -> Outcome {
        var work = first
        while true {
            do {
                switch try attempt(work) {
                case .done(let answer): return .done(answer)
                case .again(let changed): work = changed
                }
            } catch {
                let shown = work.mayBeCommitted && error is DatabaseError ? pool.errors.inDoubt : error
                return .done { [job = work.job] in job.fail(shown) }
            }
            if work.isExclusive != first.isExclusive { return .again(work) }
        }
    }

    /// Runs a closure once.
    private func attempt(_ work: PooledWork) throws -> Outcome {
        if work.cancellation?.isCancelled == true { throw CancellationError() }
        let session = try connected(for: work)
        do {
            if work.changesSchema { try SchemaLock.take(session, options) }
        } catch Failure.lost(let message) {
            return .again(try workAgain(work, .lost(message)))
        } catch Failure.refused(let error, _) {
            throw pool.errors.map(error, access: .write)
        }
        guard work.cancellation?.begin(session.canceller) ?? true else { throw CancellationError() }
        let options = TransactionOptions(
            kind: work.kind, usesSavepoints: work.usesSavepoints, holdsSchemaLock: work.changesSchema,
            accountLock: options.accountLock)
        let ending = Transaction(job: work.job, session: session, options: options, errors: pool.errors).run()
        if work.cancellation?.end() == false { session.discard() }
        // Ending the session releases the lock and discards its settings.
        if work.changesSchema || session.isLost { self.session = nil }
        switch ending {
        case .done(let answer): return .done(answer)
        case .again(let reason): return .again(try workAgain(work, reason))
        case .inDoubt(let doubt):
            switch try result(of: doubt, work) {
            case .committed: return .done(doubt.attempt.answer)
            case .rolledBack: return .again(work)
            case .unknown: return .again(inDoubt(work))
            }
        }
    }

    /// The job after a commit whose result can't be looked up. The closure
    /// runs again and finds the result in the tables.
    private func inDoubt(_ work: PooledWork) -> PooledWork {
        var work = work
        work.mayBeCommitted = true
        return work
    }

    /// Changes the job's options so that the next attempt can succeed; throws
    /// when no attempt is left.
    private func workAgain(_ work: PooledWork, _ reason: Transaction.Reason) throws -> PooledWork {
        var work = work
        work.attempts += 1
        switch reason {
        case .needsSavepoints: work.usesSavepoints = true
        case .needsSchemaLock: work.changesSchema = true
        case .stalePlan, .conflict:
            guard work.attempts < options.attempts else {
                guard case .conflict(let error) = reason else { throw pool.errors.lostTransaction }
                throw error
            }
            work.isExclusive = work.kind == .write(.all) && work.attempts >= Self.sharedAttempts
            sleep(pauses.pause(after: work.attempts, first: .milliseconds(1), longest: .milliseconds(100)))
        case .lost(let message):
            guard work.attempts < options.attempts else { throw pool.errors.lost(message) }
        case .lostCommit:
            guard work.attempts < options.attempts else { throw pool.errors.inDoubt }
            return inDoubt(work)
        }
        return work
    }

    private func sleep(_ pause: Duration) {
        Thread.sleep(forTimeInterval: pause / .seconds(1))
    }
}

// MARK: - Reaching the server

extension Worker {
    /// Returns an open session. Repeats the attempt to connect until both the
    /// server has been unreachable and the job has waited for
    /// `reconnectTimeout`.
    private func connected(for work: PooledWork) throws -> Session {
        if session == nil { session = pool.takeFirst() }
        if let session, !session.isLost { return session }
        session = nil
        var attempts = 0
        while true {
            do {
                let opened = try opening.open()
                _ = pool.noteReachable(true)
                session = opened
                return opened
            } catch let failure as ServerConnectionError {
                let since = pool.noteReachable(false) ?? work.added
                attempts += 1
                let pause = pauses.pause(after: attempts, first: .milliseconds(20), longest: .seconds(2))
                guard failure.isTransient, pool.now() + pause < max(since, work.added) + options.reconnectTimeout else {
                    throw failure.error
                }
                sleep(pause)
            }
        }
    }

    /// The result of a commit that was looked up.
    private enum CommitResult {
        case committed, rolledBack
        /// The server runs anew since, has forgotten the transaction, or
        /// refuses the lookup.
        case unknown
    }

    /// Looks up the result of a commit.
    private func result(of doubt: Transaction.UncertainCommit, _ work: PooledWork) throws -> CommitResult {
        let deadline = pool.now() + options.reconnectTimeout
        var attempts = 0
        while true {
            let session: Session
            do {
                session = try connected(for: work)
            } catch {
                throw pool.errors.inDoubt
            }
            guard session.mark == doubt.mark else { return .unknown }
            do {
                switch try session.status(of: doubt.transactionNumber) {
                case "committed": return .committed
                case "aborted": return .rolledBack
                case "in progress": break
                default: return .unknown
                }
            } catch Failure.refused {
                return .unknown
            } catch {}
            // The server has not detected the lost connection yet, or
            // the lookup lost its own connection.
            attempts += 1
            let pause = pauses.pause(after: attempts, first: .milliseconds(5), longest: .milliseconds(500))
            guard pool.now() + pause < deadline else { throw pool.errors.inDoubt }
            sleep(pause)
        }
    }
}

extension Session {
    /// The status of a transaction: `committed`, `aborted`, `in progress`, or
    /// `nil` when it is too old.
    fileprivate func status(of transactionNumber: String) throws -> String? {
        let sql = "SELECT pg_xact_status($1::text::xid8) AS status"
        return try perform([.text(sql, try Parameters([transactionNumber]))]).first?.rows.first?.get("status")
    }
}
