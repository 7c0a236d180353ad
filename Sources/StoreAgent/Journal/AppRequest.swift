// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

/// A restore or a receipt refresh that a living process waits for, or a sheet
/// that the app has asked for.
///
/// It is in the journal, so that the synchronizer can run it for another
/// process, and the next synchronizer continues it at the next page. It isn't
/// run any more after the process that added it has ended, except the
/// redemption of a code.
struct AppRequest: Sendable, Hashable {
    enum Kind: String, Sendable {
        case restore, refresh
        /// The sheet on which the customer redeems a code.
        case redemption
        /// The sheet on which the customer agrees to a price increase.
        case priceConsent

        /// Whether a process waits for the end. Otherwise the request is
        /// deleted when it has ended.
        var isAwaited: Bool { self == .restore || self == .refresh }

        /// Whether the request goes on after the process that added it has
        /// ended. The app can't repeat a redemption, which its customer began;
        /// a price increase makes the store ask again.
        var outlivesItsProcess: Bool { self == .redemption }
    }

    enum Phase: String, Sendable {
        /// Not sent yet. Only the first attempt fails when the store can't be
        /// reached; later ones are repeated.
        case added
        /// Sent, perhaps several times, without a final answer.
        case asking
        /// The customer has to answer a sheet first.
        case waiting
        /// Completed: all its results are in the journal.
        case done
        case failed
    }

    let identifier: String
    let kind: Kind
    /// The process that added it.
    let process: String
    /// The properties of the receipt to fetch, in the sandbox.
    var properties: ReceiptProperties?
    var phase = Phase.added
    /// The page of a restore that is fetched next.
    var page = 0
    var failure: PurchaseFailure?

    enum Input: Sendable {
        case send
        /// The customer has to answer a sheet first, such as to sign in.
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
            // The customer expects no sheet any more when the network is back.
            return reach == .notSent && (wasFirst || !kind.isAwaited) ? fail(failure) : .retry
        }
    }

    private mutating func fail(_ failure: PurchaseFailure) -> Next {
        phase = .failed
        self.failure = failure
        return .end
    }
}
