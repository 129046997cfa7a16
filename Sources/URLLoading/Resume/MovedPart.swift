// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc

/// The part of a download goes from one folder to another: from the program to the process that continues it, or back.
extension ResumeRecord {
  /// Moves the file; returns the record to resume from there, or nil where it is not the one recorded. Where the
  /// folders lie on different disks it is copied, which takes its time.
  package func moved(from source: URL, to target: URL) -> ResumeRecord? {
    guard let file = try? PartialFile(of: self, in: source) else { return nil }
    defer { file.keep() }
    let place = target.appendingPathComponent(fileName).path
    if unsafe rename(file.url.path, place) == 0 { return self }
    guard errno == EXDEV, let copy = copied(file.url, to: target) else { return nil }
    unsafe unlink(file.url.path)
    return copy
  }

  private func copied(_ file: URL, to target: URL) -> ResumeRecord? {
    let suffix = Int32(PartialFile.nameEnding.utf8.count)
    var path = Array(target.appendingPathComponent(PartialFile.namePattern).path.utf8CString)
    let descriptor = unsafe workbench_make_file(&path, suffix)
    let source = unsafe open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    defer { for open in [descriptor, source] where open >= 0 { close(open) } }
    guard descriptor >= 0, source >= 0 else { return nil }
    var (status, count) = (stat(), 1)
    while count > 0 { count = sendfile(descriptor, source, nil, 1 << 20) }
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard count == 0, unsafe fstat(descriptor, &status) == 0 else {
      unsafe unlink(name)
      return nil
    }
    var record = self
    (record.fileName, record.fileNumber) = ((name as NSString).lastPathComponent, UInt64(status.st_ino))
    return record
  }
}
