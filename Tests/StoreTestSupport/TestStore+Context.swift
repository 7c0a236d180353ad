// SPDX-License-Identifier: Apache-2.0

import StoreAssembly
package import StoreDatabase
package import StoreDomain

extension TestStore {
    /// Opens the dependencies of use cases over a database, as `storectl` does
    /// for a command.
    package static func context(
        over database: any Database, environment: StoreEnvironment = .sandbox, clock: TestClock = TestClock(),
        random: RandomSource = RandomSource(SeededGenerator(seed: 1)), provider: (any PaymentProvider)? = nil,
        retention: Retention = Retention()
    ) async throws -> StoreContext {
        var configuration = StoreConfiguration(database: database, clock: clock.wallClock, random: random)
        configuration.environment = environment
        configuration.provider = provider
        configuration.retention = retention
        configuration.passwordCost = passwordCost
        return try await Store.open(configuration)
    }

    /// Opens the store's database again, with other settings.
    package func context(
        environment: StoreEnvironment = .sandbox, retention: Retention = Retention()
    ) async throws -> StoreContext {
        try await Self.context(
            over: context.database, environment: environment, clock: clock, random: context.random,
            provider: context.provider, retention: retention)
    }
}
