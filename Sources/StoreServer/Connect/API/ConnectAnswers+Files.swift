// SPDX-License-Identifier: Apache-2.0

import StoreDomain

extension ConnectAnswers {
    /// A value that an uploaded file changes, with the name of the team's log.
    struct ComparedValue: Encodable {
        var name: String
        var before: String?
        var after: String?
    }

    struct ComparedObject: Encodable {
        /// `product`, `group` or `app`.
        var subject: String
        /// `nil` for the app.
        var identifier: String?
        var change: String
        var values: [ComparedValue]
    }

    /// A value because of which a file can't be imported.
    struct FileProblem: Encodable {
        var problem: String
        var subject: String
        var identifier: String?
        var value: String?
        var limit: Int?
    }

    struct FileComparison: Encodable {
        var name: String
        /// Whether products that the file lacks are taken off sale.
        var withdraws: Bool
        var changes: [ComparedObject]
        var problems: [FileProblem]
        /// The products that lack texts, so that they aren't sold.
        var incomplete: [String]
    }

    /// A cell, a column or a row because of which a table can't be saved.
    struct TableProblem: Encodable {
        var problem: String
        var line: Int
        var column: String?
        var limit: Int?
    }

    struct TableComparison: Encodable {
        var name: String
        var changes: [ComparedObject]
        var problems: [TableProblem]
    }
}

extension ConnectAnswers.ComparedObject {
    init(_ change: AppFileDiff.Change) {
        let (subject, identifier) = Self.names(of: change.subject)
        self.init(
            subject: subject, identifier: identifier, change: change.kind.rawValue,
            values: change.values.map {
                ConnectAnswers.ComparedValue(name: $0.name.code, before: $0.before, after: $0.after)
            })
    }

    static func names(of subject: AppFileDiff.Subject) -> (subject: String, identifier: String?) {
        switch subject {
        case .product(let identifier): ("product", identifier.rawValue)
        case .group(let identifier): ("group", identifier.rawValue)
        case .app: ("app", nil)
        }
    }
}

extension ConnectAnswers.FileComparison {
    init(_ waiting: ImportingAppFile.Waiting) {
        self.init(
            name: waiting.name, withdraws: waiting.withdraws,
            changes: waiting.diff.changes.map(ConnectAnswers.ComparedObject.init),
            problems: waiting.diff.problems.map { problem in
                let (subject, identifier) = ConnectAnswers.ComparedObject.names(of: problem.subject)
                return ConnectAnswers.FileProblem(
                    problem: problem.kind.rawValue, subject: subject, identifier: identifier,
                    value: problem.value?.code, limit: problem.limit)
            },
            incomplete: waiting.diff.incomplete.map(\.rawValue))
    }
}

extension ConnectAnswers.TableComparison {
    init(_ waiting: EditingTable.Waiting) {
        self.init(
            name: waiting.name, changes: waiting.diff.changes.map(ConnectAnswers.ComparedObject.init),
            problems: waiting.diff.problems.map { problem in
                ConnectAnswers.TableProblem(
                    problem: problem.kind.rawValue, line: problem.line, column: problem.column, limit: problem.limit)
            })
    }
}
