// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads JSON, with error messages that name the file, the place and the key.
struct ConfigurationReader {
    var file: String
    /// Whether a product has every promotional offer of the file, and not
    /// only the first of each identifier.
    var keepsRepeatedOffers = false

    func root(_ data: Data) throws -> [String: Any] {
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: data)
        } catch {
            throw DomainError(
                .configuration,
                "\(file) is not JSON: save it from Xcode as a StoreKit configuration file, or mend it by hand.")
        }
        return try object(value, "the top level")
    }

    /// The most scalars that an error says about a value, which the file may have made long: one character can have
    /// a million of them.
    private static let longestReason = 500

    func error(_ place: String, _ key: String, _ what: String) -> DomainError {
        let (scalars, half) = (what.unicodeScalars, Self.longestReason / 2)
        let isLong = scalars.count > Self.longestReason
        let what = isLong ? "\(Substring(scalars.prefix(half))) … \(Substring(scalars.suffix(half)))" : what
        return DomainError(.configuration, "\(file): \(place): \(key): \(what).")
    }

    func object(_ value: Any, _ place: String) throws -> [String: Any] {
        guard let object = value as? [String: Any] else {
            throw DomainError(.configuration, "\(file): \(place) is not an object.")
        }
        return object
    }

    /// The list under a key, of at most a number of entries; empty when it is absent or null.
    func array(_ object: [String: Any], _ key: String, most: Int, at place: String) throws -> [Any] {
        guard let value = object[key], !(value is NSNull) else { return [] }
        guard let array = value as? [Any] else { throw error(place, key, "is not a list") }
        guard array.count <= most else { throw error(place, key, "has \(array.count) entries, of at most \(most)") }
        return array
    }

    func text(_ object: [String: Any], _ key: String, at place: String) throws -> String {
        guard let value = object[key] else { throw error(place, key, "is missing") }
        guard let text = value as? String else { throw error(place, key, "is not a string") }
        return text
    }

    func optionalText(_ object: [String: Any], _ key: String, at place: String) throws -> String? {
        guard let value = object[key], !(value is NSNull) else { return nil }
        guard let text = value as? String else { throw error(place, key, "is not a string") }
        return text
    }

    func flag(_ object: [String: Any], _ key: String, at place: String) throws -> Bool {
        guard let value = object[key], !(value is NSNull) else { return false }
        guard let flag = value as? Bool else { throw error(place, key, "is neither true nor false") }
        return flag
    }

    /// A whole number; neither a fraction nor a Boolean.
    func wholeNumber(_ object: [String: Any], _ key: String, at place: String) throws -> Int {
        guard let value = object[key] else { throw error(place, key, "is missing") }
        // A Boolean of JSON is a number of C's type `char`.
        guard let number = value as? NSNumber, String(cString: number.objCType) != "c", let whole = value as? Int else {
            throw error(place, key, "is not a whole number")
        }
        return whole
    }
}
