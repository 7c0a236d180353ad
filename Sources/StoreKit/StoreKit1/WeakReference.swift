// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A weak reference that any thread may read and replace, like the delegate
/// properties on Apple's platforms. A weak variable of Swift doesn't allow
/// that.
final class WeakReference<Object>: @unchecked Sendable {
    // @unchecked because `lock` protects the reference.
    private let lock = NSLock()
    private weak var reference: AnyObject?

    var object: Object? {
        get { lock.withLock { reference } as? Object }
        set {
            let new = newValue.map { $0 as AnyObject }
            lock.withLock { reference = new }
        }
    }
}
