// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if !canImport(Darwin)
/// How an associated object is kept.
public enum objc_AssociationPolicy: UInt, Sendable {
    /// Not kept alive on Apple's platforms; here it is, since Swift can't
    /// hold a value that isn't there any more.
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

/// Keeps a value with an object, under a key that is compared by its address;
/// `nil` takes it away.
///
/// A value lives as long as its object, and somewhat longer: it goes when
/// later calls of this function find its object gone.
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    let isCopied = policy == .OBJC_ASSOCIATION_COPY || policy == .OBJC_ASSOCIATION_COPY_NONATOMIC
    let kept = isCopied ? (value as? any NSCopying)?.copy(with: nil) ?? value : value
    AssociatedObjects.shared.set(kept, object as AnyObject, key)
}

/// The value that is kept with an object under a key.
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    AssociatedObjects.shared.value(object as AnyObject, key)
}

/// Takes every value away that is kept with an object.
public func objc_removeAssociatedObjects(_ object: Any) {
    AssociatedObjects.shared.remove(object as AnyObject)
}

/// The values that are kept with objects, which are held weakly.
private final class AssociatedObjects: @unchecked Sendable {
    // @unchecked because the values are of any type; the lock protects them.
    static let shared = AssociatedObjects()

    private struct Owner {
        weak var object: AnyObject?
        var values: [UnsafeRawPointer: Any] = [:]
    }

    private let lock = NSLock()
    private var owners: [ObjectIdentifier: Owner] = [:]
    /// How many owners there may be before the dead are looked for.
    private var limit = 64

    func set(_ value: Any?, _ object: AnyObject, _ key: UnsafeRawPointer) {
        // What is dropped goes after the lock: it may have values of its own.
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

    /// An object that is gone may have left its address to another.
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
