// SPDX-License-Identifier: Apache-2.0

extension Delivery {
    /// Schedules a round after the app has finished a transaction.
    func finished(_ transaction: AgentTransaction) {
        returned.remove([transaction])
        queue.async { [self] in
            recipients.forEach { $0.know(transaction) }
            round()
        }
    }

    /// Keeps in memory a finish that couldn't be saved, and repeats the write
    /// until it succeeds.
    func finishLater(_ identifier: AgentTransaction.ID, _ delivered: AgentTransaction.Delivered?, _ error: any Error) {
        unwritten.keep(identifier, delivered, error)
        look()
    }

    /// Whether the app has finished an entry, and the journal couldn't save
    /// that yet.
    func isFinished(_ identifier: AgentTransaction.ID) -> Bool {
        unwritten.contains(identifier)
    }

    /// Saves the finishes that couldn't be saved before, or schedules the
    /// next attempt after a pause.
    func writeFinishes() {
        let attempt = unwritten.save()
        returned.remove(attempt.finished)
        for recipient in recipients {
            attempt.finished.forEach(recipient.know)
            if attempt.hasRefused { recipient.readAgain() }
        }
        if let pause = attempt.pause {
            queue.async(after: pause) { [self] in
                unwritten.endPause()
                round()
            }
        }
        guard attempt.hasSaved else { return }
        signals.wake()
        presence.wakeOthers()
    }
}
