// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent
import Synchronization

/// The base class of the requests to the store: a delegate, a start and a
/// cancel.
///
/// A running request keeps itself alive. The delegate is held weakly and
/// called on the main queue.
// Not Sendable, as in Apple's headers. The conformance isn't declared as
// unavailable either, because clients add a conformance of their own.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKRequest: NSObject {
    private struct Progress {
        /// Counts starts and cancels, so that an answer after a cancel is
        /// ignored.
        var number = 0
        var task: Task<Void, Never>?
    }

    private let progress = Mutex(Progress())
    private let delegates = WeakReference<any SKRequestDelegate>()

    // SKProductsRequest has a delegate of a narrower type, which Swift can't
    // express as an override. Where both apply, overload resolution selects
    // the narrower one.
    /// The object that receives the end of the request.
    @_disfavoredOverload
    open weak var delegate: (any SKRequestDelegate)? {
        get { delegates.object }
        set { delegates.object = newValue }
    }

    /// Makes a request; the subclasses define its contents.
    public override init() {
        super.init()
    }

    /// Sends the request. Starting a running request changes nothing.
    open func start() {}

    /// Cancels the request; its delegate isn't called any more.
    open func cancel() {
        let task = progress.withLock { progress in
            progress.number += 1
            defer { progress.task = nil }
            return progress.task
        }
        task?.cancel()
    }

    /// Runs an operation of the agent, and passes its result to `answered` and
    /// the delegate on the main queue, unless the request has been cancelled.
    final func begin<Answer: Sendable>(
        _ question: @escaping @Sendable (Agent) async throws -> Answer,
        answered: @escaping @Sendable (SKRequest, Answer) -> Void
    ) {
        // Safe because the request, which isn't Sendable, is only passed on to
        // the main queue.
        nonisolated(unsafe) let request = self
        progress.withLock { progress in
            guard progress.task == nil else { return }
            progress.number += 1
            let number = progress.number
            progress.task = AgentHost.shared.ask(question) { result in
                guard request.ends(number) else { return }
                switch result {
                case .success(let answer):
                    answered(request, answer)
                    request.delegate?.requestDidFinish(request)
                case .failure(let error):
                    request.delegate?.request(request, didFailWithError: SKError(describing: error))
                }
            }
        }
    }

    private func ends(_ number: Int) -> Bool {
        progress.withLock { progress in
            guard progress.number == number else { return false }
            progress.task = nil
            return true
        }
    }
}
