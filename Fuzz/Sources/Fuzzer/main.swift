// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation

// `Fuzzer TARGET [libFuzzer's options and corpus folders]`, or
// `Fuzzer seed FOLDER`, which writes an initial corpus.

/// libFuzzer's own loop, which calls the callback with each input.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

nonisolated(unsafe) var chosen = Target.appReceipt  // because it is set once, before the only thread's loop begins

/// libFuzzer's own main function, which is linked but not used, refers to this
/// name.
@_cdecl("LLVMFuzzerTestOneInput")
func tryInput(_ bytes: UnsafePointer<UInt8>?, _ length: Int) -> Int32 {
    chosen.run(Array(UnsafeBufferPointer(start: bytes, count: length)))
    return 0
}

let names = Target.allCases.map(\.rawValue).joined(separator: ", ")
let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "seed" {
    try writeSeeds(into: URL(fileURLWithPath: arguments[2], isDirectory: true))
    exit(0)
}
guard arguments.count > 1, let target = Target(rawValue: arguments[1]) else {
    FileHandle.standardError.write(Data("Fuzzer takes one of \(names), or seed FOLDER.\n".utf8))
    exit(64)
}
chosen = target

var count = Int32(arguments.count - 1)
let copies = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count)
for (index, argument) in ([arguments[0]] + arguments.dropFirst(2)).enumerated() { copies[index] = strdup(argument) }
copies[Int(count)] = nil
var list = copies
exit(runFuzzer(&count, &list, tryInput))
