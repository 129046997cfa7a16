// SPDX-License-Identifier: Apache-2.0
#if OWN
  import Dispatch
  import Glibc
  import SessionAPI

  /// How a body is read that comes as an asynchronous sequence.
  enum Reading: String {
    /// Byte by byte, by a task that no actor runs.
    case bytes
    /// Byte by byte on the main actor, where a program's top level and every user interface stand.
    case mainbytes
    /// Line by line.
    case lines
  }

  extension Ours {
    /// Reads a body and ends the process. The main thread waits, for the main actor needs it.
    static func read(_ url: URL, _ reading: Reading) -> Never {
      let measure = Measure()
      Task.detached {
        do {
          let bytes = try await URLSession(configuration: .ephemeral).bytes(from: url).0
          let count =
            switch reading {
            case .bytes: try await count(bytes)
            case .mainbytes: try await countOnMainActor(bytes)
            case .lines: try await countOfLines(bytes)
            }
          measure.report(Outcome(transfers: 1, bytes: count))
          exit(0)
        } catch {
          FileHandle.standardError.write(Data("ours: \(error)\n".utf8))
          exit(1)
        }
      }
      dispatchMain()
    }

    private static func count(_ bytes: URLSession.AsyncBytes) async throws -> Int64 {
      var (count, ends): (Int64, Int64) = (0, 0)
      for try await byte in bytes {
        count += 1
        if byte == 10 { ends += 1 }
      }
      return ends > 0 ? count : 0
    }

    @MainActor
    private static func countOnMainActor(_ bytes: URLSession.AsyncBytes) async throws -> Int64 {
      var (count, ends): (Int64, Int64) = (0, 0)
      for try await byte in bytes {
        count += 1
        if byte == 10 { ends += 1 }
      }
      return ends > 0 ? count : 0
    }

    /// Bytes of all lines, their ends counted as one each.
    private static func countOfLines(_ bytes: URLSession.AsyncBytes) async throws -> Int64 {
      var count: Int64 = 0
      for try await line in bytes.lines { count += Int64(line.utf8.count) + 1 }
      return count
    }
  }
#endif
