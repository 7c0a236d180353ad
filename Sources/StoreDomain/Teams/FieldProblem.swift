// SPDX-License-Identifier: Apache-2.0

/// A value of a form that can't be saved, so that a page names the problem
/// beside its field.
package struct FieldProblem: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A required value is empty.
        case missing
        case tooShort = "too-short"
        case tooLong = "too-long"
        /// The value has another form than the field's.
        case malformed
        /// Another object has the value.
        case taken
        /// The value isn't one of the choices.
        case unknown
        /// The number isn't one of a range, or is larger than the limit.
        case outOfRange = "out-of-range"
        /// The price of an offer isn't lower than the product's.
        case tooHigh = "too-high"
        /// The day is over.
        case past
        /// The day is more days ahead than the limit.
        case tooFar = "too-far"
        /// The value isn't the stored one, such as the present password.
        case wrong
        /// A file has more bytes than ``FieldProblem/limit`` megabytes.
        case fileTooLarge = "file-too-large"
        /// An image has another width or height than it needs.
        case wrongSize = "wrong-size"
        /// An image has an alpha channel.
        case transparent
        /// A number or an amount is larger than it may be.
        case tooLarge = "too-large"
        /// The file isn't a packed content.
        case notPackage = "not-package"
        /// A packed content breaks a rule, which ``FieldProblem/detail`` names.
        case refusedPackage = "refused-package"
        /// A packed content names the product in ``FieldProblem/detail``.
        case otherProduct = "other-product"
        /// The version in ``FieldProblem/detail`` is published with other
        /// bytes.
        case otherBytes = "other-bytes"
        /// The content of the app would have more bytes than it may have.
        case overQuota = "over-quota"
        /// The store has no room for the file.
        case diskFull = "disk-full"
        /// The product in ``FieldProblem/detail`` is for sale.
        case sold
    }

    /// The name of the form's field.
    package var field: String
    package var kind: Kind
    /// The shortest or the longest length, for a problem with one.
    package var limit: Int?
    /// A name for the sentence of the problem.
    package var detail: String?

    package init(field: String, kind: Kind, limit: Int? = nil, detail: String? = nil) {
        self.field = field
        self.kind = kind
        self.limit = limit
        self.detail = detail
    }
}

/// The error for values that can't be saved. Nothing was changed.
package struct InvalidFields: Error, Hashable, Sendable {
    package var problems: [FieldProblem]

    package init(problems: [FieldProblem]) {
        self.problems = problems
    }

    /// The error for a value of a field that isn't one of its choices.
    package init(unknown field: String) {
        problems = [FieldProblem(field: field, kind: .unknown)]
    }

    /// One sentence about all values, for programs.
    package var message: String {
        problems.map { problem in
            "\(problem.field) is \(problem.kind.rawValue)" + (problem.limit.map { " (\($0))" } ?? "") + "."
        }.joined(separator: " ")
    }
}

/// Collects the problems of a form's values.
struct FieldChecks {
    private var problems: [FieldProblem] = []

    mutating func add(_ field: String, _ kind: FieldProblem.Kind, limit: Int? = nil) {
        problems.append(FieldProblem(field: field, kind: kind, limit: limit))
    }

    mutating func add(_ others: [FieldProblem]) { problems += others }

    /// A text without surrounding whitespace. One without characters, with
    /// too many, or with a control character is a problem. A text of several
    /// lines may have line feeds.
    mutating func text(_ value: String, field: String, longest: Int, isOneLine: Bool = true) -> String {
        let text = value.replacing("\r\n", with: "\n").trimmingWhitespace()
        let lines = isOneLine ? [Substring(text)] : text.split(separator: "\n")
        if text.isEmpty {
            add(field, .missing)
        } else if text.count > longest || text.utf8.count > longest * 4 {
            add(field, .tooLong, limit: longest)
        } else if lines.contains(where: { $0.unicodeScalars.contains(where: \.isInvisible) }) {
            add(field, .malformed)
        }
        return text
    }

    /// An e-mail address in the form in which it is stored.
    mutating func email(_ value: String, field: String) -> String {
        if value.trimmingWhitespace().isEmpty {
            add(field, .missing)
            return ""
        }
        guard let email = try? Account.checkedEmail(value), !email.unicodeScalars.contains(where: \.isInvisible) else {
            add(field, .malformed)
            return ""
        }
        return email
    }

    /// Ends the checks.
    ///
    /// - Throws: ``InvalidFields``.
    func finish() throws {
        if !problems.isEmpty { throw InvalidFields(problems: problems) }
    }
}
