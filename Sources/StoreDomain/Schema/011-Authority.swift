// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The signing authority of a store whose nodes share a database:
    /// certificates, private keys, leaves and revocations.
    static let authority = Migration(
        "011 authority",
        [
            // One row at most: the first node that inserts it makes the
            // authority. `encrypted_with` identifies the operator's key, and
            // is NULL if the private keys are plain.
            """
            CREATE TABLE signing_authority (
                authority_id BIGINT NOT NULL PRIMARY KEY CHECK (authority_id = 1),
                revision BIGINT NOT NULL,
                encrypted_with TEXT
            )
            """,
            // `private_key` is NULL for a leaf that doesn't sign any more, and
            // for a key that the operator keeps in another place.
            """
            CREATE TABLE authority_certificate (
                name TEXT NOT NULL PRIMARY KEY,
                certificate TEXT NOT NULL,
                private_key blob
            )
            """,
            """
            CREATE TABLE authority_leaf (
                serial_number TEXT NOT NULL PRIMARY KEY,
                purpose TEXT NOT NULL,
                environment TEXT NOT NULL,
                place BIGINT NOT NULL,
                is_retired BIGINT NOT NULL
            )
            """,
            """
            CREATE UNIQUE INDEX authority_leaf_signing ON authority_leaf (purpose, environment)
            WHERE is_retired = 0
            """,
            """
            CREATE TABLE authority_revocation (
                serial_number TEXT NOT NULL PRIMARY KEY,
                place BIGINT NOT NULL,
                revoked_at BIGINT NOT NULL,
                reason BIGINT NOT NULL
            )
            """,
        ])
}
