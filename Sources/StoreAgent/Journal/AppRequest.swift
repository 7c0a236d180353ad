// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

/// A restore or a receipt refresh that a living process waits for.
///
/// It is in the journal, so that the synchronizer can run it for another
/// process, and the next synchronizer continues it at the next page. It isn't
/// run any more after the process that added it has ended.
struct AppRequest: Sendable, Hashable {
    enum Kind: String, Sendable {
        case restore, refresh
    }

    enum Phase: String, Sendable {
        /// Not sent yet. Only the first attempt fails when the store can't be
        /// reached; later ones are repeated.
        case added
        /// Sent, perhaps several times, without a final answer.
        case asking
        /// The customer has to sign in first.
        case waiting
        /// Completed: all its results are in the journal.
        case done
        case failed
    }

    let identifier: String
    let kind: Kind
    /// The process that added it and waits for its end.
    let process: String
    /// The properties of the receipt to fetch, in the sandbox.
    var properties: ReceiptProperties?
    var phase = Phase.added
    /// The page of a restore that is fetched next.
    var page = 0
    var failure: PurchaseFailure?

    enum Input: Sendable {
        case send
        /// The customer has to sign in first.
        case signIn
        /// A page is in the journal; the number is the next page's.
        case page(Int)
        case completed
        case failed(PurchaseFailure)
        case refused(StoreFailure)
        case unreachable(ConnectionFailure.Reach, PurchaseFailure, wasFirst: Bool)
    }

    /// The synchronizer's next step.
    enum Next: Sendable, Hashable {
        case ask(isFirst: Bool)
        case retry
        /// Wait until the store notifies the device about the request.
        case wait
        case end
    }

    var isOpen: Bool { phase != .done && phase != .failed }

    mutating func handle(_ input: Input) -> Next {
        guard isOpen else { return .end }
        switch input {
        case .send:
            let isFirst = phase == .added
            phase = .asking
            return .ask(isFirst: isFirst)
        case .signIn:
            phase = .waiting
            return .wait
        case .page(let number):
            page = number
            return .ask(isFirst: false)
        case .completed:
            phase = .done
            return .end
        case .failed(let failure):
            return fail(failure)
        case .refused(let failure):
            return failure.isTemporary ? .retry : fail(PurchaseFailure(refused: failure))
        case .unreachable(let reach, let failure, let wasFirst):
            return reach == .notSent && wasFirst ? fail(failure) : .retry
        }
    }

    private mutating func fail(_ failure: PurchaseFailure) -> Next {
        phase = .failed
        self.failure = failure
        return .end
    }
}
