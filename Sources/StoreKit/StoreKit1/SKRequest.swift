// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import StoreAgent
internal import Synchronization

/// The base of what an app asks the store: a delegate, a start and a cancel.
///
/// A running request keeps itself alive. The delegate is held weakly and
/// hears on the main queue.
// Not Sendable, as Apple's headers say, and not said to be unavailable as
// that: clients extend it with a conformance of their own.
@available(iOS, deprecated: 18.0)
@available(macOS, deprecated: 15.0)
@available(tvOS, deprecated: 18.0)
@available(watchOS, deprecated: 11.0)
@available(visionOS, deprecated: 2.0)
open class SKRequest: NSObject {
    private struct Progress {
        /// Counts starts and cancels, so that an answer that comes too late
        /// is recognised.
        var number = 0
        var task: Task<Void, Never>?
    }

    private let progress = Mutex(Progress())
    private let delegates = WeakReference<any SKRequestDelegate>()

    // SKProductsRequest has a delegate of a narrower type, which Swift can't
    // express as an override; between the two, the narrower one is meant.
    /// Who hears of the end of the request.
    @_disfavoredOverload
    open weak var delegate: (any SKRequestDelegate)? {
        get { delegates.object }
        set { delegates.object = newValue }
    }

    /// A request; the subclasses say of what.
    public override init() {
        super.init()
    }

    /// Sends the request. Starting a running request changes nothing.
    open func start() {}

    /// Ends the request; its delegate hears nothing more.
    open func cancel() {
        let task = progress.withLock { progress in
            progress.number += 1
            defer { progress.task = nil }
            return progress.task
        }
        task?.cancel()
    }

    /// Asks the agent and hands the answer over on the main queue, unless the
    /// request was cancelled by then.
    final func begin<Answer: Sendable>(
        _ question: @escaping @Sendable (Agent) async throws -> Answer,
        answered: @escaping @Sendable (SKRequest, Answer) -> Void
    ) {
        // Safe because the request, which isn't Sendable, goes through here
        // untouched and comes out on the main queue.
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
