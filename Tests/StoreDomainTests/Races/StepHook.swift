// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Synchronization
import Testing

/// Runs code of a test at a step of a purchase: its ``reach(_:)`` is a store's
/// fault point.
final class StepHook: Sendable {
    private struct Plan {
        var step: String
        var action: @Sendable () throws -> Void
    }

    private let plan = Mutex<Plan?>(nil)
    private let result = Mutex<Result<Void, any Error>?>(nil)

    /// Sets the code that runs once, when the step is reached next.
    func at(_ step: String, _ action: @escaping @Sendable () throws -> Void) {
        result.withLock { $0 = nil }
        plan.withLock { $0 = Plan(step: step, action: action) }
    }

    func reach(_ step: String) {
        // The code runs outside of the lock: it may reach steps itself.
        let reached = plan.withLock { plan -> Plan? in
            guard plan?.step == step else { return nil }
            defer { plan = nil }
            return plan
        }
        guard let reached else { return }
        let made: Result<Void, any Error> = Result { try reached.action() }
        result.withLock { $0 = made }
    }

    /// The code of the store's refusal; `nil` if the code of the test
    /// succeeded.
    ///
    /// - Throws: Any other error of the code, or an expectation that failed
    ///   because the step wasn't reached.
    func refusal(at location: SourceLocation = #_sourceLocation) throws -> DomainError.Code? {
        let made = result.withLock { $0 }
        switch try #require(made, "the step wasn't reached", sourceLocation: location) {
        case .success: return nil
        case .failure(let error as DomainError): return error.code
        case .failure(let error): throw error
        }
    }
}

/// The steps of a purchase, by the names of their fault points.
enum PurchaseSteps {
    /// The reserving transaction hasn't begun.
    static let beforeReservation = ["sheet:before", "reserve:before"]
    /// The payment is reserved or committed.
    static let underWay = [
        "reserve:after", "authorise:before", "authorise:after", "commit:before", "commit:after", "capture:before",
    ]
    static let captured = ["capture:after", "sheet:after"]

    static let onTheSheet = beforeReservation + underWay + captured
    /// The steps of an approval, which has no sheet.
    static let ofApproval = onTheSheet.filter { !$0.hasPrefix("sheet:") }
}
