// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A database that is named on the command line.
///
/// A text that isn't a location is no error of the parser, whose message would
/// repeat it: an address may contain a password.
struct DatabaseArgument: ExpressibleByArgument, Equatable {
    private let found: DatabaseLocation?

    init(argument: String) {
        found = DatabaseLocation(argument)
    }

    /// - Throws: `ValidationError` when the text isn't a location.
    func location() throws -> DatabaseLocation {
        guard let found else {
            throw ValidationError("A database is named as sqlite:PATH or postgres://USER@HOST/DATABASE.")
        }
        return found
    }
}
