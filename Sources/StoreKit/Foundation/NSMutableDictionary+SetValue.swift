// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if !canImport(Darwin)
extension NSMutableDictionary {
    /// Sets the value of a key; `nil` removes it.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value {
            setObject(value, forKey: key as NSString)
        } else {
            removeObject(forKey: key)
        }
    }
}

extension UserDefaults {
    /// Sets the value of a key; `nil` removes it.
    public func setValue(_ value: Any?, forKey key: String) {
        set(value, forKey: key)
    }
}
#endif
