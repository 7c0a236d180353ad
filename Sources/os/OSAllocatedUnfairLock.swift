// SPDX-License-Identifier: Apache-2.0

/// A lock with the value that it protects, at one address for all copies of this structure.
///
/// ```swift
/// let count = OSAllocatedUnfairLock(initialState: 0)
/// count.withLock { $0 += 1 }
/// ```
///
/// A thread that takes a lock which it already has ends the program, as on Apple's platforms; so does one that releases
/// a lock which it doesn't have.
///
/// Sendable because each access of the value is made with the lock, and `withLock` takes only closures that share
/// nothing else; the unchecked functions leave this to their caller.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    /// Who must or must not have the lock (`precondition(_:)`).
    public enum Ownership: Hashable, Sendable {
        /// The thread that asks has the lock.
        case owner
        /// The thread that asks doesn't have the lock.
        case notOwner
    }

    private let storage: UnfairLockStorage<State>

    /// Makes an unlocked lock of a value that the compiler can't check; the caller keeps no other reference to it.
    public init(uncheckedState initialState: State) {
        storage = UnfairLockStorage(initialState)
    }

    /// Makes an unlocked lock of a value.
    public init(initialState: State) where State: Sendable {
        storage = UnfairLockStorage(initialState)
    }

    /// Returns the body's result; it changes the value while this thread has the lock.
    public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// As `withLock(_:)`, for a body whose result or captured values the compiler can't check.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        storage.lock()
        defer { storage.unlock() }
        return try body(&storage.state)
    }

    /// Returns the body's result, or nil if the lock isn't free.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }

    /// As `withLockIfAvailable(_:)`, for a body whose result or captured values the compiler can't check.
    public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
        guard storage.tryLock() else { return nil }
        defer { storage.unlock() }
        return try body(&storage.state)
    }

    /// Ends the program unless this thread has the lock, or hasn't it.
    public func precondition(_ condition: Ownership) {
        Swift.precondition(
            storage.isOwned == (condition == .owner),
            condition == .owner ? "This thread doesn't have the lock." : "This thread has the lock.")
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Makes an unlocked lock without a value.
    public init() {
        self.init(uncheckedState: ())
    }

    /// Waits until the lock is free, and takes it. Prefer `withLock(_:)`, which can't forget to release it.
    @available(*, noasync, message: "Use withLock(_:): a task can go on in another thread.")
    public func lock() {
        storage.lock()
    }

    /// Releases the lock, which this thread must have taken.
    @available(*, noasync, message: "Use withLock(_:): a task can go on in another thread.")
    public func unlock() {
        storage.unlock()
    }

    /// Takes the lock if it is free, and returns whether it did.
    @available(*, noasync, message: "Use withLockIfAvailable(_:): a task can go on in another thread.")
    public func lockIfAvailable() -> Bool {
        storage.tryLock()
    }

    /// Returns the body's result; it runs while this thread has the lock.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }

    /// As `withLock(_:)`, for a body whose result or captured values the compiler can't check.
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }

    /// Returns the body's result, or nil if the lock isn't free.
    public func withLockIfAvailable<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked { _ in try body() }
    }

    /// As `withLockIfAvailable(_:)`, for a body whose result or captured values the compiler can't check.
    public func withLockIfAvailableUnchecked<R>(_ body: () throws -> R) rethrows -> R? {
        try withLockIfAvailableUnchecked { _ in try body() }
    }
}

/// The mutex of an `OSAllocatedUnfairLock`, which knows its owner, and the value.
private final class UnfairLockStorage<State> {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    var state: State

    init(_ state: State) {
        self.state = state
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() {
        let error = pthread_mutex_lock(mutex)
        precondition(error == 0, "This thread already has the lock.")
    }

    func tryLock() -> Bool {
        pthread_mutex_trylock(mutex) == 0
    }

    func unlock() {
        let error = pthread_mutex_unlock(mutex)
        precondition(error == 0, "This thread doesn't have the lock.")
    }

    /// Whether this thread has the lock. A mutex tells its owner so instead of waiting, and others that the time, which has
    /// passed already, is over.
    var isOwned: Bool {
        var past = timespec()
        let error = pthread_mutex_timedlock(mutex, &past)
        if error == 0 { unlock() }
        return error == EDEADLK
    }
}
