// SPDX-License-Identifier: Apache-2.0

import Foundation

#if !canImport(Darwin)
/// The way in which an associated value is held.
public enum objc_AssociationPolicy: UInt, Sendable {
    /// Not kept alive on Apple's platforms. Here it is, because Swift can't
    /// hold a reference to a deallocated value.
    case OBJC_ASSOCIATION_ASSIGN = 0
    /// Kept alive.
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    /// Copied where it can be, and kept alive.
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    /// Kept alive.
    case OBJC_ASSOCIATION_RETAIN = 769
    /// Copied where it can be, and kept alive.
    case OBJC_ASSOCIATION_COPY = 771
}

/// Associates a value with an object, under a key that is compared by its
/// address; `nil` removes the value.
///
/// A value lives at least as long as its object. It is released when a later
/// call of this function finds its object deallocated.
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    let isCopied = policy == .OBJC_ASSOCIATION_COPY || policy == .OBJC_ASSOCIATION_COPY_NONATOMIC
    let kept = isCopied ? (value as? any NSCopying)?.copy(with: nil) ?? value : value
    AssociatedObjects.shared.set(kept, object as AnyObject, key)
}

/// The value that is associated with an object under a key.
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    AssociatedObjects.shared.value(object as AnyObject, key)
}

/// Removes all values that are associated with an object.
public func objc_removeAssociatedObjects(_ object: Any) {
    AssociatedObjects.shared.remove(object as AnyObject)
}

/// The associated values. Their objects are held weakly.
private final class AssociatedObjects: @unchecked Sendable {
    // @unchecked because the values are of any type; the lock protects them.
    static let shared = AssociatedObjects()

    private struct Owner {
        weak var object: AnyObject?
        var values: [UnsafeRawPointer: Any] = [:]
    }

    private let lock = NSLock()
    private var owners: [ObjectIdentifier: Owner] = [:]
    /// The number of owners from which on deallocated ones are removed.
    private var limit = 64

    func set(_ value: Any?, _ object: AnyObject, _ key: UnsafeRawPointer) {
        // Removed values are released after the lock: they may have associated
        // values themselves.
        let dropped = lock.withLock {
            let dead = owners.count < limit ? [] : removeDead()
            let before = owner(object)
            var owner = before ?? Owner(object: object)
            owner.values[key] = value
            let replaced = owners.updateValue(owner, forKey: ObjectIdentifier(object))
            if owner.values.isEmpty { owners[ObjectIdentifier(object)] = nil }
            return dead + [before, replaced].compactMap { $0 }
        }
        withExtendedLifetime(dropped) {}
    }

    func value(_ object: AnyObject, _ key: UnsafeRawPointer) -> Any? {
        lock.withLock { owner(object)?.values[key] }
    }

    func remove(_ object: AnyObject) {
        let dropped = lock.withLock { owners.removeValue(forKey: ObjectIdentifier(object)) }
        withExtendedLifetime(dropped) {}
    }

    /// A new object may have the address of a deallocated one, whose values
    /// are not those of the new object.
    private func owner(_ object: AnyObject) -> Owner? {
        owners[ObjectIdentifier(object)].flatMap { $0.object == nil ? nil : $0 }
    }

    private func removeDead() -> [Owner] {
        let dead = owners.filter { $0.value.object == nil }
        for name in dead.keys { owners[name] = nil }
        limit = max(64, 2 * owners.count)
        return Array(dead.values)
    }
}
#endif
