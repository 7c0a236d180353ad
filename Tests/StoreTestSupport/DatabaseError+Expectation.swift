// SPDX-License-Identifier: Apache-2.0

package import StoreDatabase
package import Testing

/// Runs the code and returns the database error that it must throw.
package func databaseError<T>(
    at location: SourceLocation = #_sourceLocation, _ body: () async throws -> T
) async throws -> DatabaseError {
    let error = await #expect(throws: DatabaseError.self, sourceLocation: location) { _ = try await body() }
    return try #require(error, sourceLocation: location)
}
