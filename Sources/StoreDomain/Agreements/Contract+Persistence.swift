// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension WriteScope {
    /// The versions of the contract, which the operator publishes one at a
    /// time.
    static let contract = WriteScope.key("contract")
}

extension Contract {
    private init(_ row: Row) throws {
        self.init(
            number: try row.get("contract_number"), text: try row.get("text"),
            published: WallTime(milliseconds: try row.get("published_at")),
            due: WallTime(milliseconds: try row.get("due_at")))
    }

    private static let columns = "contract_number, text, published_at, due_at"

    /// The newest version; `nil` before the first one.
    static func newest(_ db: StoreTransaction) throws -> Contract? {
        try db.row("SELECT \(columns) FROM contract ORDER BY contract_number DESC LIMIT 1").map(Contract.init)
    }

    static func find(_ number: Int64, _ db: StoreTransaction) throws -> Contract? {
        try db.row("SELECT \(columns) FROM contract WHERE contract_number = $1", [number]).map(Contract.init)
    }

    /// The number of the newest version that is due now; `nil` before the
    /// first one.
    static func required(_ db: StoreTransaction) throws -> Int64? {
        try db.row(
            "SELECT contract_number FROM contract WHERE due_at <= $1 ORDER BY contract_number DESC LIMIT 1",
            [db.now.milliseconds]
        )?.get("contract_number")
    }

    func insert(_ db: StoreTransaction) throws {
        try db.run(
            "INSERT INTO contract (contract_number, text, published_at, due_at) VALUES ($1, $2, $3, $4)",
            [number, text, published.milliseconds, due.milliseconds])
    }

    /// The part of a statement that is 1 for a product whose seller's contract
    /// is in force, and 0 for others: subqueries about the app `bundle_id`, and
    /// about the item of a product of ``Item/catalogue``, of the table of an
    /// outer statement. `now` is the parameter with the time. The operator's
    /// own team needs no contract.
    static func isInForce(forProductOf table: String, now: String) -> String {
        """
        CASE WHEN \(table).bundle_id = '\(Item.catalogue)' THEN COALESCE((
            SELECT \(isInForce(ofTeam: "item.team_id", now: now))
            FROM item WHERE item.item_id = \(Item.identifier(ofProductOf: table))), 1)
        ELSE COALESCE((
            SELECT \(isInForce(ofTeam: "app.team_id", now: now))
            FROM app WHERE app.bundle_id = \(table).bundle_id), 1) END
        """
    }

    private static func isInForce(ofTeam team: String, now: String) -> String {
        """
        CASE
            WHEN \(team) = '\(Team.ofTheStore)' THEN 1
            WHEN EXISTS (
                SELECT 1 FROM team_payee AS payee
                WHERE payee.team_id = \(team) AND payee.iban IS NOT NULL AND payee.tax_number IS NOT NULL)
            AND EXISTS (
                SELECT 1 FROM contract_acceptance AS accepted
                WHERE accepted.team_id = \(team) AND accepted.contract_number >= (
                    SELECT max(contract_number) FROM contract WHERE due_at <= \(now)))
            THEN 1 ELSE 0 END
        """
    }
}

extension ContractAcceptance {
    /// The acceptance of the newest version that a team has accepted.
    static func newest(of team: TeamIdentifier, _ db: StoreTransaction) throws -> ContractAcceptance? {
        try db.row(
            """
            SELECT contract_number, user_email, user_name, accepted_at FROM contract_acceptance
            WHERE team_id = $1 ORDER BY contract_number DESC LIMIT 1
            """, [team]
        ).map { row in
            ContractAcceptance(
                number: try row.get("contract_number"), email: try row.get("user_email"),
                name: try row.get("user_name"), accepted: WallTime(milliseconds: try row.get("accepted_at")))
        }
    }

    /// Saves the acceptance; `false` when the team has accepted the version.
    func insert(of team: TeamIdentifier, _ db: StoreTransaction) throws -> Bool {
        try db.run(
            """
            INSERT INTO contract_acceptance (team_id, contract_number, user_email, user_name, accepted_at)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT (team_id, contract_number) DO NOTHING
            """, [team, number, email, name, accepted.milliseconds]) == 1
    }
}

extension Payee {
    /// The forms of a team.
    static func find(of team: TeamIdentifier, _ db: StoreTransaction) throws -> Payee {
        let row = try db.row(
            """
            SELECT account_holder, iban, bic, legal_name, address, tax_country, tax_number, form_number
            FROM team_payee WHERE team_id = $1
            """, [team])
        guard let row else { return Payee() }
        var payee = Payee(version: try row.get("form_number"))
        if let text: String = try row.get("iban"), let iban = IBAN(text) {
            payee.bank = Bank(
                holder: try row.get("account_holder") ?? "", iban: iban, bic: try row.get("bic") ?? "")
        }
        if let number: String = try row.get("tax_number") {
            payee.tax = TaxForm(
                legalName: try row.get("legal_name") ?? "", address: try row.get("address") ?? "",
                country: try row.get("tax_country") ?? "", number: number)
        }
        return payee
    }

    /// Saves the forms of a team.
    func save(of team: TeamIdentifier, _ db: StoreTransaction) throws {
        try db.run(
            """
            INSERT INTO team_payee (
                team_id, account_holder, iban, bic, legal_name, address, tax_country, tax_number, form_number)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (team_id) DO UPDATE SET
                account_holder = excluded.account_holder, iban = excluded.iban, bic = excluded.bic,
                legal_name = excluded.legal_name, address = excluded.address, tax_country = excluded.tax_country,
                tax_number = excluded.tax_number, form_number = excluded.form_number
            """,
            [
                team, bank?.holder, bank?.iban.text, bank?.bic, tax?.legalName, tax?.address, tax?.country,
                tax?.number, version,
            ])
    }
}

extension TeamAgreements {
    static func find(of team: TeamIdentifier, _ db: StoreTransaction) throws -> TeamAgreements {
        TeamAgreements(
            newest: try Contract.newest(db), accepted: try ContractAcceptance.newest(of: team, db),
            required: try Contract.required(db), payee: try Payee.find(of: team, db),
            isOperator: team == Team.ofTheStore)
    }
}
