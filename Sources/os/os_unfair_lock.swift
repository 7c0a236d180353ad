// SPDX-License-Identifier: Apache-2.0

// Apple's `os` exports the C library, too.
#if canImport(Glibc)
@_exported public import Glibc
#else
@_exported public import Musl
#endif

/// A lock of the C library. Its initial value, `os_unfair_lock()`, is unlocked; a copy of a locked one has no meaning.
///
/// It is a mutex of POSIX, so that packages whose `#if canImport(os)` was written for Apple's platforms only compile
/// against this module as they stand: swift-argument-parser destroys the mutex that it keeps in one. Its functions are
/// emitted into the module that calls them, which therefore doesn't have to link this one.
public typealias os_unfair_lock = pthread_mutex_t
/// The name of the lock's structure in C.
public typealias os_unfair_lock_s = os_unfair_lock
/// The address of a lock, which its functions take.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

/// Waits until the lock is free, and takes it.
@_alwaysEmitIntoClient
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
    pthread_mutex_lock(lock)
}

/// Takes the lock if it is free, and returns whether it did.
@_alwaysEmitIntoClient
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
    pthread_mutex_trylock(lock) == 0
}

/// Releases the lock, which this thread must have taken.
@_alwaysEmitIntoClient
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
    pthread_mutex_unlock(lock)
}
