// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

// Foundation has this class on Apple's platforms, but not on Linux. Here it is
// part of StoreKit, because the account that stores the values is the store's.
#if !canImport(Darwin)

/// Small values of an app that the customer's account stores for all of its
/// devices. The last write of a key wins.
///
/// A value can be read immediately in every process of the app and survives
/// the process. It is sent to the account when there is a network and the
/// customer is signed in to the store. Values are property list objects. There
/// are at most 1024 keys of at most 64 bytes in UTF-8, and 1 MB of values. A
/// write beyond these limits is rejected, and
/// ``didChangeExternallyNotification`` is posted with the reason
/// ``NSUbiquitousKeyValueStoreQuotaViolationChange``.
open class NSUbiquitousKeyValueStore: NSObject, @unchecked Sendable {
    // @unchecked because the class is open; it stores nothing itself.
    private static let store = NSUbiquitousKeyValueStore()

    /// The app's store.
    open class var `default`: NSUbiquitousKeyValueStore { store }

    /// Posted on the main queue when the values changed on another device or
    /// with the account, or a write was rejected. Its `userInfo` has the
    /// reason and the keys.
    public static let didChangeExternallyNotification = Notification.Name(
        "NSUbiquitousKeyValueStoreDidChangeExternallyNotification")

    /// Makes another object for the same values.
    public override init() {
        super.init()
    }

    /// The value of a key.
    open func object(forKey key: String) -> Any? {
        guard let data = values[key] else { return nil }
        return try? PropertyListSerialization.propertyList(from: data, format: nil)
    }

    /// Sets a property list object; `nil` removes the key. A value that isn't
    /// a property list object is rejected with a line on standard error.
    open func set(_ object: Any?, forKey key: String) {
        guard let object else { return removeObject(forKey: key) }
        guard PropertyListSerialization.propertyList(object, isValidFor: .binary),
            let data = try? PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
        else { return AgentHost.say("NSUbiquitousKeyValueStore: the value of \(key) is no property list object.") }
        write(data, key)
    }

    /// Removes a key and its value.
    open func removeObject(forKey key: String) {
        write(nil, key)
    }

    /// The value of a key, if it is a string.
    open func string(forKey key: String) -> String? { object(forKey: key) as? String }
    /// The value of a key, if it is an array.
    open func array(forKey key: String) -> [Any]? { object(forKey: key) as? [Any] }
    /// The value of a key, if it is a dictionary with strings for keys.
    open func dictionary(forKey key: String) -> [String: Any]? { object(forKey: key) as? [String: Any] }
    /// The value of a key, if it is data.
    open func data(forKey key: String) -> Data? { object(forKey: key) as? Data }
    /// The value of a key, if it is a number, else 0.
    open func longLong(forKey key: String) -> Int64 { number(key)?.int64Value ?? 0 }
    /// The value of a key, if it is a number, else 0.
    open func double(forKey key: String) -> Double { number(key)?.doubleValue ?? 0 }
    /// The value of a key, if it is a number, else `false`.
    open func bool(forKey key: String) -> Bool { number(key)?.boolValue ?? false }

    /// Sets a string; `nil` removes the key.
    open func set(_ string: String?, forKey key: String) { set(string as Any?, forKey: key) }
    /// Sets data; `nil` removes the key.
    open func set(_ data: Data?, forKey key: String) { set(data as Any?, forKey: key) }
    /// Sets an array; `nil` removes the key.
    open func set(_ array: [Any]?, forKey key: String) { set(array as Any?, forKey: key) }
    /// Sets a dictionary; `nil` removes the key.
    open func set(_ dictionary: [String: Any]?, forKey key: String) { set(dictionary as Any?, forKey: key) }
    /// Sets a number.
    open func set(_ value: Int64, forKey key: String) { set(NSNumber(value: value) as Any?, forKey: key) }
    /// Sets a number.
    open func set(_ value: Double, forKey key: String) { set(NSNumber(value: value) as Any?, forKey: key) }
    /// Sets a Boolean.
    open func set(_ value: Bool, forKey key: String) { set(NSNumber(value: value) as Any?, forKey: key) }

    /// Every key with its value.
    open var dictionaryRepresentation: [String: Any] {
        values.compactMapValues { try? PropertyListSerialization.propertyList(from: $0, format: nil) }
    }

    /// Requests the values that other devices have written, now and from now
    /// on. An app calls it once, at launch. Its own values are on disk
    /// already.
    ///
    /// - Returns: whether the request was saved; it is sent when there is a
    ///   network.
    @discardableResult
    open func synchronize() -> Bool {
        do {
            try host().synchronizeKeyValues()
            return true
        } catch {
            AgentHost.say("NSUbiquitousKeyValueStore: \(SKError.message(of: error))")
            return false
        }
    }

    private var values: [String: Data] { (try? host().keyValues()) ?? [:] }

    private func number(_ key: String) -> NSNumber? {
        switch object(forKey: key) {
        case let number as NSNumber: number
        case let value as Bool: NSNumber(value: value)
        case let value as Int: NSNumber(value: value)
        case let value as Double: NSNumber(value: value)
        default: nil
        }
    }

    private func write(_ data: Data?, _ key: String) {
        do {
            try host().setKeyValue(data, for: key)
        } catch {
            AgentHost.say("NSUbiquitousKeyValueStore: \(SKError.message(of: error))")
            Self.post(KeyValueNews(reason: .quotaViolation, keys: [key]))
        }
    }

    private func host() throws -> Agent {
        let agent = try AgentHost.shared.agent()
        agent.observeKeyValues { news in Self.post(news) }
        return agent
    }

    private static func post(_ news: KeyValueNews) {
        DispatchQueue.main.async {
            NotificationCenter.default.post(
                name: didChangeExternallyNotification, object: store,
                userInfo: [
                    NSUbiquitousKeyValueStoreChangeReasonKey: news.reason.rawValue,
                    NSUbiquitousKeyValueStoreChangedKeysKey: news.keys,
                ])
        }
    }
}

/// Key of the notification's `userInfo`: the reason, an `Int`.
public let NSUbiquitousKeyValueStoreChangeReasonKey = "NSUbiquitousKeyValueStoreChangeReasonKey"
/// Key of the notification's `userInfo`: the keys, an array of strings.
public let NSUbiquitousKeyValueStoreChangedKeysKey = "NSUbiquitousKeyValueStoreChangedKeysKey"

/// Another device has changed the values.
public var NSUbiquitousKeyValueStoreServerChange: Int { KeyValueNews.Reason.server.rawValue }
/// The values were received for the first time.
public var NSUbiquitousKeyValueStoreInitialSyncChange: Int { KeyValueNews.Reason.initialSync.rawValue }
/// A write was rejected.
public var NSUbiquitousKeyValueStoreQuotaViolationChange: Int { KeyValueNews.Reason.quotaViolation.rawValue }
/// Another account is signed in, with other values.
public var NSUbiquitousKeyValueStoreAccountChange: Int { KeyValueNews.Reason.accountChange.rawValue }
#endif
