// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The images of an item, with the forms that add and remove them.
struct ItemImages {
    private let visit: ConnectVisit
    private let item: Int64
    private let words: TeamItemWords

    init(_ visit: ConnectVisit, item: Int64) {
        self.visit = visit
        self.item = item
        words = .words(visit.language)
    }

    /// A section of the icon or of the screenshots, by the name of the field:
    /// `icon` or `screenshot`.
    func section(
        _ field: String, _ images: [(place: Int, digest: String)], canEdit: Bool
    ) -> ConsoleSection {
        let (isIcon, of) = (field == "icon", ImageWords.words(visit.language))
        var section = ConsoleSection(
            heading: isIcon ? words.icon : words.screenshots,
            paragraphs: [isIcon ? words.iconHint : words.screenshotsHint],
            entries: images.map { image in
                var entry = ConsoleEntry(
                    name: isIcon ? words.icon : words.fill(\.screenshot, ["number": String(image.place)]))
                entry.image = "/artwork/\(item)/\(image.digest)"
                if canEdit { entry.forms = [.button("remove-image", of.remove, of: "place", String(image.place))] }
                return entry
            }, empty: images.isEmpty ? of.none : nil)
        guard canEdit, isIcon || images.count < ItemArtwork.screenshots else { return section }
        section.forms = [
            ConsoleForm(
                hidden: [.init(hiddenName: "image", hiddenValue: field)],
                fields: [
                    visit.field(
                        ConsoleField(field, of.file, accept: "image/png, image/jpeg, image/webp", hint: words.fileHint))
                ],
                buttons: [
                    .init(
                        decision: "upload", label: isIcon && !images.isEmpty ? of.replace : of.add, isPrimary: true)
                ])
        ]
        return section
    }
}
