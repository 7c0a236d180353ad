// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

// An app that downloads files from its seller's own server;
// Tests/Processes/seller_files.py starts it.
//
//     DownloadProbe start ID URL SECONDS    starts a download with a time limit, and prints each change until the
//                                           process is killed
//     DownloadProbe watch                   prints each change until the process is killed
//     DownloadProbe keep ID FOLDER          copies the file of the download to a folder, acknowledges it, and ends
//     DownloadProbe cancel ID               cancels the download, and ends
//     DownloadProbe list                    prints all downloads, and ends

func write(_ download: BackgroundDownload) {
    let state =
        switch download.state {
        case .running: "running"
        case .finished(let file): "finished\t\(file.path)"
        case .failed(let error): "failed\t\(error.code.rawValue)"
        }
    print("\(download.id)\t\(download.receivedBytes)\t\(state)")
    fflush(nil)
}

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, Array(arguments.dropFirst())) {
case ("start", let words) where words.count == 3:
    guard let url = URL(string: words[1]), let seconds = Int(words[2]) else { exit(64) }
    let request = BackgroundDownload.Request(
        id: words[0], url: url, fields: ["X-Key": "rose"], timeLimit: .seconds(seconds))
    write(try BackgroundDownload.start(request))
    for await download in BackgroundDownload.updates { write(download) }
case ("watch", []):
    for await download in BackgroundDownload.updates { write(download) }
case ("keep", let words) where words.count == 2:
    for await download in BackgroundDownload.updates where download.id == words[0] {
        write(download)
        guard case .finished(let file) = download.state else { continue }
        let target = URL(fileURLWithPath: words[1], isDirectory: true).appendingPathComponent(download.id)
        // The copy has its name when it is complete: the process may be killed in the middle.
        let new = target.appendingPathExtension("new")
        try? FileManager.default.removeItem(at: new)
        try FileManager.default.copyItem(at: file, to: new)
        guard rename(new.path, target.path) == 0 else { exit(1) }
        try BackgroundDownload.acknowledge(download.id)
        exit(0)
    }
case ("cancel", let words) where words.count == 1:
    try BackgroundDownload.cancel(words[0])
case ("list", []):
    for download in try BackgroundDownload.all { write(download) }
default:
    exit(64)
}
