// SPDX-License-Identifier: Apache-2.0

/// The sections that the page of an app's file and the page of its table
/// share.
extension ConsoleSection {
    /// The changes of an uploaded file, with the form that makes or discards
    /// them. Changes that can't be made are only discarded.
    static func changes(
        _ list: ChangeList, _ paragraphs: [String], version: String, canApply: Bool, apply: String, _ words: FileWords
    ) -> ConsoleSection {
        let discard = ConsoleForm.Button(decision: "discard", label: words.discard)
        let apply = ConsoleForm.Button(decision: "apply", label: apply, isPrimary: true)
        return ConsoleSection(
            heading: words.changes, paragraphs: paragraphs, entries: list.entries,
            empty: list.more > 0 ? words.fill(\.more, ["count": String(list.more)]) : nil,
            forms: [
                ConsoleForm(
                    hidden: [.init(hiddenName: "version", hiddenValue: version)],
                    buttons: canApply ? [apply, discard] : [discard])
            ])
    }

    /// The form that uploads a file.
    static func upload(_ fields: [ConsoleField], heading: String, note: String, _ words: FileWords) -> ConsoleSection {
        let form = ConsoleForm(
            fields: fields, buttons: [.init(decision: "upload", label: words.compare, isPrimary: true)])
        return ConsoleSection(heading: heading, paragraphs: [note], forms: [form])
    }
}
