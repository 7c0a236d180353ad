// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// How often an address was tried with a wrong password.
enum SignInThrottle {
    static func blockedUntil(_ email: String, _ environment: StoreEnvironment, _ connection: any Connection) throws
        -> Instant
    {
        let row = try connection.row(
            "SELECT blocked_until FROM sign_in_throttle WHERE environment = $1 AND email = $2",
            [environment.rawValue, email])
        return Instant(milliseconds: try row?.get("blocked_until") ?? 0)
    }

    static func count(
        _ email: String, now: Instant, _ environment: StoreEnvironment, _ connection: any Connection
    ) throws {
        let row = try connection.row(
            """
            INSERT INTO sign_in_throttle (environment, email, failures, blocked_until) VALUES ($1, $2, 1, $3)
            ON CONFLICT (environment, email) DO UPDATE
                SET failures = sign_in_throttle.failures + 1, blocked_until = excluded.blocked_until
            RETURNING failures
            """, [environment.rawValue, email, now.milliseconds])
        let failures: Int64 = try row?.get("failures") ?? 1
        guard failures >= SigningIn.freeTries else { return }
        let pause = min(SigningIn.longestPause, 1000 << min(failures - SigningIn.freeTries, 20))
        try connection.run(
            "UPDATE sign_in_throttle SET blocked_until = $3 WHERE environment = $1 AND email = $2",
            [environment.rawValue, email, now.milliseconds + pause])
    }

    /// Drops addresses that nobody has tried for a day.
    static func prune(now: Instant, _ environment: StoreEnvironment, _ connection: any Connection) throws {
        try connection.run(
            "DELETE FROM sign_in_throttle WHERE environment = $1 AND blocked_until < $2",
            [environment.rawValue, (now - .seconds(24 * 60 * 60)).milliseconds])
    }

    static func forget(_ email: String, _ environment: StoreEnvironment, _ connection: any Connection) throws {
        try connection.run(
            "DELETE FROM sign_in_throttle WHERE environment = $1 AND email = $2", [environment.rawValue, email])
    }
}
