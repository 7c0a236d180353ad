// SPDX-License-Identifier: Apache-2.0

import Testing
import os

@Suite("OSAllocatedUnfairLock")
struct UnfairLockTests {
    @Test("Tasks that count with the lock lose nothing")
    func counting() async {
        let count = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 8000)
    }

    @Test("A lock that is taken isn't available, and knows its owner")
    func ownership() {
        let lock = OSAllocatedUnfairLock()
        lock.precondition(.notOwner)
        lock.withLock {
            lock.precondition(.owner)
            #expect(lock.withLockIfAvailable { true } == nil)
        }
        #expect(lock.lockIfAvailable())
        lock.unlock()
        #expect(lock.withLockIfAvailable { true } == true)
    }

    @Test("An error of the body releases the lock")
    func error() {
        struct Failure: Error {}
        let lock = OSAllocatedUnfairLock(initialState: 1)
        #expect(throws: Failure.self) { try lock.withLock { _ in throw Failure() } }
        #expect(lock.withLockIfAvailable { $0 } == 1)
    }

    @Test("A thread that takes its own lock again ends the program, and so does one that releases a lock of none")
    func recursion() async {
        await #expect(processExitsWith: .failure) {
            let lock = OSAllocatedUnfairLock(initialState: 0)
            lock.withLock { _ in lock.withLock { $0 = 1 } }
        }
        await #expect(processExitsWith: .failure) {
            func release() { OSAllocatedUnfairLock().unlock() }
            release()
        }
    }

    @Test("os_unfair_lock can be taken once")
    func primitive() {
        let lock = os_unfair_lock_t.allocate(capacity: 1)
        defer { lock.deallocate() }
        lock.initialize(to: os_unfair_lock())
        os_unfair_lock_lock(lock)
        #expect(!os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
        #expect(os_unfair_lock_trylock(lock))
    }
}
