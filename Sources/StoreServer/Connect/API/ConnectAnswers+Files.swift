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
        /// The number of values, problems and products that aren't listed;
        /// `nil` when all are.
        var more: Int?
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
        /// The number of values and problems that aren't listed; `nil` when all
        /// are.
        var more: Int?
    }

    /// The most values of a comparison that are listed, and the most problems.
    static let mostCompared = 1000
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

extension [ConnectAnswers.ComparedObject] {
    /// The changed objects up to a number of values, and how many values are
    /// left out. An object without values counts as one.
    static func first(_ limit: Int, of changes: [AppFileDiff.Change]) -> (objects: Self, more: Int) {
        var objects: Self = []
        var (room, more) = (limit, 0)
        for change in changes {
            let count = Swift.max(change.values.count, 1)
            if room > 0 {
                var object = ConnectAnswers.ComparedObject(change)
                object.values.removeLast(Swift.max(object.values.count - room, 0))
                objects.append(object)
            }
            more += Swift.max(count - room, 0)
            room = Swift.max(room - count, 0)
        }
        return (objects, more)
    }
}

extension ConnectAnswers.FileComparison {
    init(_ waiting: ImportingAppFile.Waiting) {
        let most = ConnectAnswers.mostCompared
        let (changes, more) = [ConnectAnswers.ComparedObject].first(most, of: waiting.diff.changes)
        let left = more + max(waiting.diff.problems.count - most, 0) + max(waiting.diff.incomplete.count - most, 0)
        self.init(
            name: waiting.name, withdraws: waiting.withdraws, changes: changes,
            problems: waiting.diff.problems.prefix(most).map { problem in
                let (subject, identifier) = ConnectAnswers.ComparedObject.names(of: problem.subject)
                return ConnectAnswers.FileProblem(
                    problem: problem.kind.rawValue, subject: subject, identifier: identifier,
                    value: problem.value?.code, limit: problem.limit)
            },
            incomplete: waiting.diff.incomplete.prefix(most).map(\.rawValue), more: left > 0 ? left : nil)
    }
}

extension ConnectAnswers.TableComparison {
    init(_ waiting: EditingTable.Waiting) {
        let most = ConnectAnswers.mostCompared
        let (changes, more) = [ConnectAnswers.ComparedObject].first(most, of: waiting.diff.changes)
        let left = more + max(waiting.diff.problems.count - most, 0)
        self.init(
            name: waiting.name, changes: changes,
            problems: waiting.diff.problems.prefix(most).map { problem in
                ConnectAnswers.TableProblem(
                    problem: problem.kind.rawValue, line: problem.line, column: problem.column, limit: problem.limit)
            }, more: left > 0 ? left : nil)
    }
}
