// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Opens the archives that students hand in.
///
/// An archive comes from a person who may mean harm. Python's zipfile reads it, in a process with limits of time and
/// memory, and writes nothing but Swift files, each of at most a mebibyte and a byte more, which `StudentFile` refuses with
/// its size, and archives within the archive. Rejected: unpacking everything with `unzip`, whose bounds cannot be set.
enum HandInArchive {
  /// The bounds of an archive.
  struct Bounds: Sendable, Hashable {
    /// Bytes of the archive itself.
    var archive: Int
    /// Entries in it.
    var entries: Int
    /// Bytes of one program; nil where every file is written, whatever it is.
    var program: Int?
    /// Bytes of all files that are written.
    var all: Int
    /// How long opening it may take.
    var seconds: Int

    /// Those of a student's archive.
    static let handIn = Bounds(archive: 64 << 20, entries: 2_000, program: (1 << 20) + 1, all: 32 << 20, seconds: 20)
    /// Those of a platform's archive with the hand-ins of a class.
    static let platform = Bounds(archive: 4 << 30, entries: 100_000, all: 4 << 30, seconds: 300)
  }

  private static let tool = "python3"

  /// The outcome of opening an archive.
  enum Outcome: Sendable, Hashable {
    /// Its Swift files and archives lie in the folder now; these are the names of the others.
    case opened(others: [String])
    /// It stays closed.
    case refused(Phrase)
  }

  private struct Answer: Decodable {
    var others: [String]?
    var trouble: String?
    var name: String?
  }

  /// Writes the Swift files of an archive, and archives in it, below `folder`; where `bounds` know no programs, all files.
  ///
  /// - Throws: `LessonKitError` with code `environment` when Python is missing; `CancellationError`.
  static func open(_ file: URL, into folder: URL, _ bounds: Bounds = .handIn) async throws -> Outcome {
    let name = FileNames.printable(file.lastPathComponent)
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    guard let python = Toolchain.find(tool, in: folders) else {
      throw LessonKitError(
        .environment,
        "“\(name)” is an archive, and \(tool), which opens archives, is in no folder of PATH. Install it: apt-get install "
          + "python3-minimal")
    }
    let size = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
    guard size <= bounds.archive else {
      return .refused(
        "“\(name)” has \(ByteWords.text(size)), and an archive may have \(ByteWords.text(bounds.archive))")
    }
    let numbers = [bounds.entries, bounds.program ?? -1, bounds.all].map(String.init)
    let limits = ToolRun.Limits(
      processorSeconds: bounds.seconds, memory: 512 << 20, wall: .seconds(3 * bounds.seconds))
    let run = try await ToolRun(
      python, ["-I", "-X", "utf8", "-c", script, file.path, folder.path] + numbers, limits, temporary: folder.path)
    guard run.succeeded, let answer = try? JSONDecoder().decode(Answer.self, from: Data(run.output.utf8)) else {
      return .refused("“\(name)” \(words("damaged", "", bounds))")
    }
    guard let trouble = answer.trouble else { return .opened(others: answer.others ?? []) }
    return .refused("“\(name)” \(words(trouble, answer.name ?? "", bounds))")
  }

  private static func words(_ trouble: String, _ entry: String, _ bounds: Bounds) -> Phrase {
    let entry = FileNames.printable(entry)
    return switch trouble {
    case "entries": "holds more than \(bounds.entries) files"
    case "size": "holds files of more than \(ByteWords.text(bounds.all))"
    case "path": "is refused: its entry “\(entry)” leads out of it"
    case "twice": "is refused: it holds “\(entry)” twice"
    case "password": "is protected by a password"
    case "method": "is packed in a way that is not understood here; pack it as an ordinary zip archive"
    default: "cannot be opened: it is damaged, or no zip archive"
    }
  }

  /// Answers in JSON. A name that ends with a slash is a folder's; links and devices are named and stay where they are.
  private static let script = """
    import json, os, stat, sys, zipfile
    source, target = sys.argv[1:3]
    most, largest, total = map(int, sys.argv[3:6])
    every = largest < 0
    def end(**answer):
        print(json.dumps(answer))
        sys.exit(0)
    others, entry = [], None
    try:
        with zipfile.ZipFile(source) as archive:
            entries = archive.infolist()
            if len(entries) > most:
                end(trouble="entries")
            for entry in entries:
                path = entry.filename.replace("\\\\", "/")
                parts = [part for part in path.split("/") if part not in ("", ".")]
                if path.startswith("/") or ".." in parts or path[1:2] == ":":
                    end(trouble="path", name=entry.filename)
                if not parts or path.endswith("/") or any(p.startswith(".") or p == "__MACOSX" for p in parts):
                    continue
                kind = stat.S_IFMT(entry.external_attr >> 16)
                last = parts[-1].lower()
                program = last.endswith((".swift", ".swift.txt"))
                if not (every or program or last.endswith(".zip")) or kind not in (0, stat.S_IFREG):
                    others.append(parts[-1][:200])
                    continue
                if entry.flag_bits & 1:
                    end(trouble="password")
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    end(trouble="method")
                place = os.path.join(target, *parts)
                os.makedirs(os.path.dirname(place), exist_ok=True)
                left = largest if program and not every else total + 1
                with archive.open(entry) as stream, open(place, "xb") as file:
                    while data := stream.read(min(left, 1 << 20)):
                        file.write(data)
                        left, total = left - len(data), total - len(data)
                if total < 0:
                    end(trouble="size")
        end(others=others[:50])
    except FileExistsError:
        end(trouble="twice", name=entry.filename if entry else "")
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, OSError, EOFError, ValueError, MemoryError,
            RuntimeError, zipfile.zlib.error):
        end(trouble="damaged")
    """
}
