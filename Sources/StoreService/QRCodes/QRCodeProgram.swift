// SPDX-License-Identifier: Apache-2.0

import Foundation
package import StoreDomain
import Synchronization

/// Makes QR codes with `qrencode`, the program of libqrencode.
///
/// The text may be a secret. It is on the program's standard input, because
/// every user of the machine sees the arguments of its processes.
package struct QRCodeProgram: QRCodeMaker {
    private let program: ChildProgram
    private let running = RunningPrograms()

    /// The most programs that run at a time: a user may ask for a code as often
    /// as the user likes.
    package static let most = 4

    /// A maker that starts the program at an absolute path.
    package init(path: String, deadline: Duration = .seconds(2)) {
        program = ChildProgram(path: path, deadline: deadline)
    }

    /// The program of this machine; `nil` when it isn't installed.
    package static var installed: QRCodeProgram? {
        ["/usr/bin/qrencode", "/usr/local/bin/qrencode", "/opt/homebrew/bin/qrencode"]
            .first(where: FileManager.default.isExecutableFile).map { QRCodeProgram(path: $0) }
    }

    /// The QR code of a text, of which 15 percent may be unreadable.
    ///
    /// - Throws: ``ChildProgram/Failure`` when the program doesn't make a code,
    ///   and while ``most`` others are made.
    package func code(of text: String) async throws -> QRCode {
        guard running.begin(atMost: Self.most) else {
            throw ChildProgram.Failure(description: "\(Self.most) QR codes are made at the moment.")
        }
        defer { running.end() }
        let drawn = try await program.output(
            of: ["--type=ASCII", "--level=M", "--margin=4", "--output=-"], input: Data(text.utf8))
        guard let code = Self.code(drawn: drawn) else {
            throw ChildProgram.Failure(description: "\(program.path) has printed another text than a QR code.")
        }
        return code
    }

    /// The code of a drawing in which a module is two characters, `##` or two
    /// spaces.
    static func code(drawn: Data) -> QRCode? {
        let lines = drawn.split(separator: UInt8(ascii: "\n"))
        guard lines.allSatisfy({ $0.allSatisfy { [UInt8(ascii: "#"), UInt8(ascii: " ")].contains($0) } }) else {
            return nil
        }
        return QRCode(
            rows: lines.map { line in
                stride(from: line.startIndex, to: line.endIndex, by: 2).map { line[$0] == UInt8(ascii: "#") }
            })
    }
}

/// The number of programs that run.
private final class RunningPrograms: Sendable {
    private let count = Mutex(0)

    /// Counts another one, unless there are as many.
    func begin(atMost most: Int) -> Bool {
        count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
    }

    func end() { count.withLock { $0 -= 1 } }
}
