// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Marks the threads that run a closure of a database.
///
/// The synchronous methods check the mark before they wait: inside a closure
/// they would wait for the thread that they block.
package struct ClosureScope: Sendable {
    private let key: String

    package init(of database: AnyObject) {
        key = "StoreDatabase.ClosureScope.\(UInt(bitPattern: ObjectIdentifier(database)))"
    }

    /// Runs a closure of the database, on the thread that runs it.
    package func run<T>(_ body: () throws -> T) rethrows -> T {
        let thread = Thread.current
        thread.threadDictionary[key] = true
        defer { thread.threadDictionary.removeObject(forKey: key) }
        return try body()
    }

    /// Ends the process when the thread is inside a closure of the database.
    package func refuse(_ door: String) {
        precondition(
            Thread.current.threadDictionary[key] == nil,
            "\(door) was called inside a closure of the same database; use the connection that the closure is given")
    }
}
