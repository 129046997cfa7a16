// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit

/// Opens the archives that students hand in.
///
/// An archive comes from a person who may mean harm. Python's zipfile reads it, in a process with limits of time and
/// memory, and writes nothing but Swift files, each of at most a mebibyte and a byte more, which `StudentFile` refuses with
/// its size. Rejected: unpacking everything with `unzip`, whose bounds cannot be set.
enum HandInArchive {
  /// Bytes of an archive itself, entries in it, bytes of one program and of all.
  private static let (largest, entries, program, all) = (64 << 20, 2_000, (1 << 20) + 1, 32 << 20)
  private static let tool = "python3"

  /// The outcome of opening an archive.
  enum Outcome: Sendable, Hashable {
    /// Its Swift files lie in the folder now; these are the names of the others.
    case opened(others: [String])
    /// It stays closed.
    case refused(Phrase)
  }

  private struct Answer: Decodable {
    var others: [String]?
    var trouble: String?
    var name: String?
  }

  /// Writes the Swift files of an archive below `folder`.
  ///
  /// - Throws: `LessonKitError` with code `environment` when Python is missing; `CancellationError`.
  static func open(_ file: URL, into folder: URL) async throws -> Outcome {
    let name = FileNames.printable(file.lastPathComponent)
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    guard let python = Toolchain.find(tool, in: folders) else {
      throw LessonKitError(
        .environment,
        "“\(name)” is an archive, and \(tool), which opens archives, is in no folder of PATH. Install it: apt-get install "
          + "python3-minimal")
    }
    let size = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
    guard size <= largest else {
      return .refused("“\(name)” has \(ByteWords.text(size)), and an archive may have \(ByteWords.text(largest))")
    }
    let bounds = [entries, program, all].map(String.init)
    let limits = ToolRun.Limits(processorSeconds: 20, memory: 512 << 20, wall: .seconds(60))
    let run = try await ToolRun(
      python, ["-I", "-X", "utf8", "-c", script, file.path, folder.path] + bounds, limits, temporary: folder.path)
    guard run.succeeded, let answer = try? JSONDecoder().decode(Answer.self, from: Data(run.output.utf8)) else {
      return .refused("“\(name)” \(words("damaged", ""))")
    }
    guard let trouble = answer.trouble else { return .opened(others: answer.others ?? []) }
    return .refused("“\(name)” \(words(trouble, answer.name ?? ""))")
  }

  private static func words(_ trouble: String, _ entry: String) -> Phrase {
    let entry = FileNames.printable(entry)
    return switch trouble {
    case "entries": "holds more than \(entries) files"
    case "size": "holds Swift files of more than \(ByteWords.text(all))"
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
                if not parts[-1].lower().endswith(".swift") or kind not in (0, stat.S_IFREG):
                    others.append(parts[-1][:200])
                    continue
                if entry.flag_bits & 1:
                    end(trouble="password")
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    end(trouble="method")
                with archive.open(entry) as stream:
                    data = stream.read(largest)
                total -= len(data)
                if total < 0:
                    end(trouble="size")
                place = os.path.join(target, *parts)
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "xb") as file:
                    file.write(data)
        end(others=others[:50])
    except FileExistsError:
        end(trouble="twice", name=entry.filename if entry else "")
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, OSError, EOFError, ValueError, MemoryError,
            RuntimeError, zipfile.zlib.error):
        end(trouble="damaged")
    """
}
