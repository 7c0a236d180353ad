// SPDX-License-Identifier: Apache-2.0

package import Metrics
import StoreDomain
import Synchronization

/// The metrics of a store that count its signatures of receipts, and nothing
/// else.
package final class SignatureCount: MetricsFactory {
    private let counter = SignatureCounter()

    package init() {}

    /// The signatures until now.
    package var total: Int { Int(counter.count.load(ordering: .relaxed)) }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        if label == StoreMeters.Name.signatures { counter } else { NOOPMetricsHandler.instance }
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { NOOPMetricsHandler.instance }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        NOOPMetricsHandler.instance
    }

    package func destroyCounter(_ handler: any CounterHandler) {}

    package func destroyRecorder(_ handler: any RecorderHandler) {}

    package func destroyTimer(_ handler: any TimerHandler) {}
}

private final class SignatureCounter: CounterHandler {
    let count = Atomic<Int64>(0)

    func increment(by amount: Int64) { count.add(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }
}
