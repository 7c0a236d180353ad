// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Mistake {
    /// The mistakes that this run plants: with `SIMULATED_MISTAKES=all` every one, with names and commas those, and
    /// otherwise each fourth.
    ///
    /// They test the checks of the simulation, which a change of the store seldom blinds, and take half of its time:
    /// `make soak` plants all of them.
    static var planted: [Mistake] {
        switch ProcessInfo.processInfo.environment["SIMULATED_MISTAKES"] {
        case nil: allCases.enumerated().filter { $0.offset.isMultiple(of: 4) }.map(\.element)
        case "all": allCases
        case let names?: allCases.filter { names.split(separator: ",").map(String.init).contains("\($0)") }
        }
    }
}
