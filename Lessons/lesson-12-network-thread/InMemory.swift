// SPDX-License-Identifier: Apache-2.0
import ConnectionAPI
import LessonKit

/// The note's first manager mended: it owns its buffer, hands the data over
/// before it lets go, and calls the completion after every end.
enum InMemory {
  static func run(_ app: ExampleContext) {
    let file = app.scratch.appendingPathComponent("download")
    let request = URLRequest(url: app.url)
    let manager = Manager { result in
      do {
        try result.get().write(to: file, options: .atomic)
        print("completion: the data")
      } catch { print("completion: \(error.localizedDescription)") }
      app.quit()
    }
    NetworkThread.shared.perform {
      let connection = NSURLConnection(
        request: request, delegate: manager, startImmediately: false)
      connection?.schedule(in: .current, forMode: .common)
      connection?.start()
    }
    app.runApplication()
  }

  /// Sendable: its methods are called on the network thread alone.
  private final class Manager: NSObject, NSURLConnectionDataDelegate,
    @unchecked Sendable
  {
    private let completion: @Sendable (Result<Data, any Error>) -> Void
    private var (data, status) = (Data(), 0)
    init(_ block: @escaping @Sendable (Result<Data, any Error>) -> Void) {
      completion = block
    }
    func connection(_ load: NSURLConnection, didReceive answer: URLResponse) {
      (data, status) = (Data(), (answer as? HTTPURLResponse)?.statusCode ?? 0)
    }
    func connection(_ connection: NSURLConnection, didReceive data: Data) {
      self.data.append(data)
    }
    // begin handed-over
    func connectionDidFinishLoading(_ connection: NSURLConnection) {
      guard status == 200 else {
        return end(.failure(URLError(.badServerResponse)))
      }
      end(.success(data))
    }

    func connection(
      _ connection: NSURLConnection, didFailWithError error: any Error
    ) { end(.failure(error)) }

    private func end(_ result: Result<Data, any Error>) {
      data = Data()
      DispatchQueue.main.async { [completion] in completion(result) }  // ←
    }
    // end handed-over
  }
}
