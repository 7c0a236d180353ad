// SPDX-License-Identifier: Apache-2.0

internal import StoreAPI

/// Something that a living process waits for: a restore, or a fresh receipt.
///
/// Its identifier is journalled, so that whoever talks to the store can run
/// it for another process and go on where a dead one stopped; the wish ends
/// with the process that has it.
struct Errand: Sendable, Hashable {
    enum Kind: String, Sendable {
        case restore, refresh
    }

    enum Phase: String, Sendable {
        /// Not sent yet: the only time that it may fail for want of a network.
        case added
        /// Being asked for.
        case asking
        /// The customer has to sign in first.
        case waiting
        /// All that it brings is in the journal.
        case done
        case failed
    }

    let identifier: String
    let kind: Kind
    /// The process that waits.
    let process: String
    let applicationUsername: String?
    /// Of the receipt that is wanted.
    var properties: ReceiptProperties?
    var phase = Phase.added
    /// The page of a restore that is asked for next.
    var page = 0
    var failure: AgentFailure?

    enum Input: Sendable {
        case send
        /// The customer has to sign in.
        case signIn
        /// An answer is in the journal; more pages follow.
        case page(Int)
        case completed
        case failed(AgentFailure)
        case refused(StoreFailure)
        case unreachable(ConnectionFailure.Reach, AgentFailure, wasFirst: Bool)
    }

    /// What the driver does next.
    enum Next: Sendable, Hashable {
        case ask(isFirst: Bool)
        case retry
        /// Nothing, until there is news about the request.
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
            return failure.isTemporary ? .retry : fail(AgentFailure(refused: failure))
        case .unreachable(let reach, let failure, let wasFirst):
            return reach == .notSent && wasFirst ? fail(failure) : .retry
        }
    }

    private mutating func fail(_ failure: AgentFailure) -> Next {
        phase = .failed
        self.failure = failure
        return .end
    }
}
