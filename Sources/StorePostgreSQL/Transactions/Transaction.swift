// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// One run of a closure in a transaction of its own.
struct Transaction {
    /// How the run ended.
    enum Ending {
        /// The closure has run, and its caller is to be answered.
        case done(Answer)
        /// The closure has to run again. It changed nothing, unless the
        /// connection was lost during a commit and the server has no mark.
        case again(Reason)
        /// The connection was lost during the commit.
        case inDoubt(UncertainCommit)
    }

    typealias Answer = @Sendable () -> Void

    enum Reason {
        case lost(String)
        /// The connection was lost while committing, and nothing identifies
        /// the commit. The closure runs again and finds its result.
        case lostCommit
        case conflict(DatabaseError)
        case stalePlan
        case needsSavepoints
        case needsSchemaLock
    }

    /// A commit whose result is unknown.
    struct UncertainCommit {
        let transactionNumber: String
        /// The mark of the server that received the `COMMIT`.
        let mark: String
        let attempt: ClosureJob.Attempt
    }

    let job: ClosureJob
    let session: Session
    let options: TransactionOptions
    let errors: PostgreSQLErrors

    /// Runs the closure, and ends its transaction.
    func run() -> Ending {
        let connection = PostgreSQLConnection(session, options: options, errors: errors)
        let attempt = job.attempt(connection)
        if let spoiled = connection.spoiled {
            rollBack(connection)
            return ending(spoiled, attempt, wentOn: connection.wentOn)
        }
        guard attempt.error == nil else {
            rollBack(connection)
            return .done(attempt.answer)
        }
        guard connection.hasBegun else { return .done(attempt.answer) }
        return options.access == .read ? endRead(attempt) : commit(attempt, connection.transactionNumber)
    }

    private func ending(
        _ spoiled: PostgreSQLConnection.FailureReason, _ attempt: ClosureJob.Attempt, wentOn: Bool
    ) -> Ending {
        switch spoiled {
        case .lost(let message): return .again(.lost(message))
        case .conflict(let error): return .again(.conflict(error))
        case .schemaUnlocked: return .again(.needsSchemaLock)
        case .stalePlan:
            session.discard()
            return .again(.stalePlan)
        case .failed(let error):
            if options.usesSavepoints {
                // The transaction could not begin, which a repetition doesn't
                // fix.
                return attempt.error == nil ? failed(error) : .done(attempt.answer)
            }
            // Another transaction may have committed the row after the closure
            // looked for it. The closure runs again and finds the row.
            let mayBeRace = error.code == .uniqueViolation && options.access == .write
            let letsItPass = attempt.error != nil && !wentOn
            return letsItPass && !mayBeRace ? .done(attempt.answer) : .again(.needsSavepoints)
        }
    }

    private func commit(_ attempt: ClosureJob.Attempt, _ number: String?) -> Ending {
        do {
            let replies = try session.perform([.text("COMMIT")])
            guard replies.first?.tag == "COMMIT" else { return failed(errors.lostTransaction) }
            return .done(attempt.answer)
        } catch Failure.refused(let error, _) {
            let mapped = errors.map(error, access: options.access)
            if error.isConflict { return .again(.conflict(mapped)) }
            // The server checks deferred constraints at the commit.
            return failed(mapped)
        } catch Failure.lost {
            guard let number, let mark = session.mark else { return .again(.lostCommit) }
            return .inDoubt(UncertainCommit(transactionNumber: number, mark: mark, attempt: attempt))
        } catch {
            return failed(error)
        }
    }

    /// Ends the transaction. The rows stay valid however that ends, and the
    /// caller is answered without waiting for it.
    private func endRead(_ attempt: ClosureJob.Attempt) -> Ending {
        session.sendLast(.text("COMMIT"))
        return .done(attempt.answer)
    }

    /// Rolls back the transaction. A failure means that the connection is
    /// lost, which the session records.
    private func rollBack(_ connection: PostgreSQLConnection) {
        if connection.hasBegun { _ = try? session.perform([.text("ROLLBACK")]) }
    }

    private func failed(_ error: any Error) -> Ending {
        .done { [job] in job.fail(error) }
    }
}
