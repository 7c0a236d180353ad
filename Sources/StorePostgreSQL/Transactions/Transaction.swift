// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// One run of a closure in a transaction of its own.
struct Transaction {
    /// How it ended.
    enum Ending {
        /// The caller has been told what came of it.
        case answered
        /// Nothing was changed; do it again.
        case again(Reason)
        /// The connection went while committing.
        case inDoubt(Doubt)
    }

    enum Reason {
        case lost(String)
        case conflict(DatabaseError)
        case stalePlan
        case needsSavepoints
        case needsSchemaLock
    }

    /// A commit of which nobody knows what became.
    struct Doubt {
        let transactionNumber: String
        /// The server that was asked to commit.
        let mark: String
        let attempt: ClosureJob.Attempt
    }

    let job: ClosureJob
    let session: Session
    let manner: Manner
    let errors: PostgreSQLErrors

    /// Runs the closure, and answers unless it has to run again.
    func run() -> Ending {
        let connection = PostgreSQLConnection(session, manner: manner, errors: errors)
        let attempt = job.attempt(connection)
        if let spoiled = connection.spoiled {
            rollBack(connection)
            return ending(spoiled, attempt, wentOn: connection.wentOn)
        }
        guard attempt.error == nil else {
            rollBack(connection)
            return answered(attempt)
        }
        guard connection.hasBegun else { return answered(attempt) }
        return manner.access == .read ? endRead(attempt) : commit(attempt, connection.transactionNumber)
    }

    private func ending(_ spoiled: PostgreSQLConnection.Spoiled, _ attempt: ClosureJob.Attempt, wentOn: Bool) -> Ending
    {
        switch spoiled {
        case .lost(let message): return .again(.lost(message))
        case .conflict(let error): return .again(.conflict(error))
        case .schemaUnlocked: return .again(.needsSchemaLock)
        case .stalePlan:
            session.discard()
            return .again(.stalePlan)
        case .failed(let error):
            if manner.isCareful {
                // The transaction couldn't begin, which a closure can't mend.
                attempt.error == nil ? job.fail(error) : attempt.answer()
                return .answered
            }
            // A row that was committed since the closure looked for it: it
            // looks again, as if it had been alone.
            let mayBeRace = error.code == .uniqueViolation && manner.access == .write
            let letsItPass = attempt.error != nil && !wentOn
            return letsItPass && !mayBeRace ? answered(attempt) : .again(.needsSavepoints)
        }
    }

    private func commit(_ attempt: ClosureJob.Attempt, _ number: String?) -> Ending {
        do {
            let replies = try session.perform([.text("COMMIT")])
            guard replies.first?.tag == "COMMIT" else {
                job.fail(errors.lostTransaction)
                return .answered
            }
            return answered(attempt)
        } catch Failure.refused(let error, _) {
            let mapped = errors.map(error, access: manner.access)
            if error.isConflict { return .again(.conflict(mapped)) }
            // A deferred constraint speaks up now.
            job.fail(mapped)
            return .answered
        } catch Failure.lost(let message) {
            guard let number, let mark = session.mark else { return .again(.lost(message)) }
            return .inDoubt(Doubt(transactionNumber: number, mark: mark, attempt: attempt))
        } catch {
            job.fail(error)
            return .answered
        }
    }

    /// What was read stays true however the transaction ends, so the caller
    /// doesn't wait for that.
    private func endRead(_ attempt: ClosureJob.Attempt) -> Ending {
        let isSent: Void? = try? session.send([.text("COMMIT")])
        attempt.answer()
        if isSent != nil { _ = try? session.receive(1) }
        return .answered
    }

    /// A session that can't be rolled back is lost, and knows it.
    private func rollBack(_ connection: PostgreSQLConnection) {
        if connection.hasBegun { _ = try? session.perform([.text("ROLLBACK")]) }
    }

    private func answered(_ attempt: ClosureJob.Attempt) -> Ending {
        attempt.answer()
        return .answered
    }
}
