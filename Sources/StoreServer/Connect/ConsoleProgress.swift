// SPDX-License-Identifier: Apache-2.0

/// The texts of the script that shows the progress of an upload. Without the
/// script the browser's own progress is shown.
struct ConsoleProgress {
    var uploading: String
    var checking: String
    var interrupted: String
    var cancelled: String
    var cancel: String
    var tooLarge: String
    /// The most bytes of the file.
    var mostBytes: String
}
