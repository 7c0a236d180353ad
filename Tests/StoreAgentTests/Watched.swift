// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

/// A value whose changes tests wait for: each change checks the conditions.
final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let name: Token
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var cancelled: Set<Token> = []
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    var value: Value { state.withLock { $0.value } }

    func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        let (result, value, ready) = state.withLock { state -> (Result, Value, [Waiter]) in
            let result = body(&state.value)
            let value = state.value
            let ready = state.waiters.filter { $0.condition(value) }
            state.waiters.removeAll { $0.condition(value) }
            return (result, value, ready)
        }
        for waiter in ready { waiter.continuation.resume(returning: value) }
        return result
    }

    /// Waits for a condition and returns the value that first met it.
    ///
    /// If the test is cancelled for taking too long, records an issue and
    /// returns the current value.
    @discardableResult
    func until(_ condition: @escaping @Sendable (Value) -> Bool) async -> Value {
        let name = Token()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if condition(state.value) || state.cancelled.contains(name) { return state.value }
                    state.waiters.append(Waiter(name: name, condition: condition, continuation: continuation))
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            let (waiter, value) = state.withLock { state in
                state.cancelled.insert(name)
                let index = state.waiters.firstIndex { $0.name == name }
                return (index.map { state.waiters.remove(at: $0) }, state.value)
            }
            if waiter != nil { Issue.record("cancelled while waiting; the value is \(value)") }
            waiter?.continuation.resume(returning: value)
        }
    }

    private final class Token: Hashable, Sendable {
        static func == (left: Token, right: Token) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}
