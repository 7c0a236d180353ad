// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension Schema {
    /// The contract between sellers and the operator, and the sellers' bank
    /// accounts and tax forms.
    static let agreements = Migration(
        "069 agreements",
        [
            """
            CREATE TABLE contract (
                contract_number BIGINT NOT NULL PRIMARY KEY,
                text TEXT NOT NULL,
                published_at BIGINT NOT NULL,
                -- From then on an earlier version isn't in force any more.
                due_at BIGINT NOT NULL
            )
            """,
            """
            CREATE TABLE contract_acceptance (
                team_id TEXT NOT NULL,
                contract_number BIGINT NOT NULL,
                user_email TEXT NOT NULL,
                user_name TEXT NOT NULL,
                accepted_at BIGINT NOT NULL,
                PRIMARY KEY (team_id, contract_number),
                FOREIGN KEY (contract_number) REFERENCES contract (contract_number)
            )
            """,
            // The columns of a form that isn't filled in are NULL.
            """
            CREATE TABLE team_payee (
                team_id TEXT NOT NULL PRIMARY KEY,
                account_holder TEXT,
                iban TEXT,
                bic TEXT,
                legal_name TEXT,
                address TEXT,
                tax_country TEXT,
                tax_number TEXT,
                form_number BIGINT NOT NULL
            )
            """,
        ])
}
