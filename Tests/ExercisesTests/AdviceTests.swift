// SPDX-License-Identifier: Apache-2.0
import Foundation
import LessonKit
import Lessons
import Testing

@testable import Exercises

@Suite struct AdviceTests {
  /// The sentences on a delegate of this class with these methods.
  private func advice(_ methods: String, naming protocols: String = "NSObject, URLSessionDataDelegate") -> [String] {
    DelegateAdvice("enum Exercise {\n  private final class Load: \(protocols) {\n    \(methods)\n  }\n}\n").sentences
      .map(\.description)
  }

  @Test(arguments: [
    (
      "urlSession(_ s: URLSession, task: URLSessionTask, didCompleteWithErorr e: (any Error)?)",
      "urlSession(_:task:didCompleteWithError:)"
    ),
    (
      "urlSession(_ s: URLSession, dataTask: URLSessionDataTask, didReceiveData data: Data)",
      "urlSession(_:dataTask:didReceive:)"
    ),
    (
      "URLSession(session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)",
      "urlSession(_:dataTask:didReceive:)"
    ),
    (
      "urlSession(_ s: URLSession, task: URLSessionTask, didReceive data: Data)",
      "urlSession(_:dataTask:didReceive:)"
    ),
    (
      "urlSession(_ s: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingToURL url: URL)",
      "urlSession(_:downloadTask:didFinishDownloadingTo:)"
    ),
    (
      """
      urlSession(_ s: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection r: HTTPURLResponse, completionHandler: @escaping (URLRequest?) -> Void)
      """, "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)"
    ),
  ])
  func `an almost right name of a session's delegate is named with the right one`(
    _ method: String, _ right: String
  ) {
    let sentences = advice("func \(method) {}")
    #expect(sentences.count == 1 && sentences[0].hasPrefix("Line 3: “"), "\(sentences)")
    #expect(sentences.first?.hasSuffix("is never called. The delegate's method is “\(right)”.") == true, "\(sentences)")
  }

  @Test(arguments: [
    ("connection(_ c: NSURLConnection, didRecieve data: Data)", "connection(_:didReceive:)"),
    ("connection(connection: NSURLConnection, didReceiveData data: Data)", "connection(_:didReceive:)"),
    ("connection(_ c: NSURLConnection, didFail error: any Error)", "connection(_:didFailWithError:)"),
    ("connectionDidFinishLoad(_ c: NSURLConnection)", "connectionDidFinishLoading(_:)"),
  ])
  func `an almost right name of a connection's delegate is named with the right one`(
    _ method: String, _ right: String
  ) {
    let sentences = advice("func \(method) {}", naming: "NSObject, NSURLConnectionDataDelegate")
    #expect(sentences.map { $0.hasSuffix("The delegate's method is “\(right)”.") } == [true], "\(sentences)")
  }

  @Test func `another type, a result too little and too small a protocol are named`() {
    #expect(
      advice("func urlSession(_ s: URLSession, dataTask: URLSessionDataTask, didReceive data: NSData) {}") == [
        "Line 3: “urlSession(_:dataTask:didReceive:)” is never called, for its type “NSData” should be “Data”."
      ])
    #expect(
      advice("func urlSession(_ s: URLSession, task: URLSessionTask, didCompleteWithError e: any Error) {}") == [
        "Line 3: “urlSession(_:task:didCompleteWithError:)” is never called, for its type “Error” should be “Error?”."
      ])
    #expect(
      advice("func urlSession(_ s: URLSession, dataTask: URLSessionDataTask, didReceive r: URLResponse) {}").first?
        .hasSuffix("for it has a result or lacks one. Declare it as URLSessionDataDelegate does.") == true)
    #expect(
      advice(
        "func urlSession(_ s: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}",
        naming: "NSObject, URLSessionTaskDelegate")
        == [
          "Line 3: “urlSession(_:dataTask:didReceive:)” is never called, for it belongs to URLSessionDataDelegate. "
            + "Name that protocol behind Load."
        ])
  }

  @Test func `what is right, and what is no delegate's, gets no advice`() {
    #expect(
      advice(
        """
        func urlSession(_ s: URLSession, task: URLSessionTask, didCompleteWithError e: Swift.Error?) {}
            func urlSession(
              _ s: URLSession, dataTask: URLSessionDataTask, didReceive r: URLResponse,
              completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
            ) { completionHandler(.allow) }
            func urlSession(_ s: URLSession, dataTask: URLSessionDataTask, didReceive r: URLResponse) async
              -> URLSession.ResponseDisposition { .allow }
            func load(_ url: URL) { let text = "func urlSession(_:task:didCompleteWithErorr:)" }
            // func connection(_ c: NSURLConnection, didRecieve data: Data)
        """) == [])
    #expect(
      advice("func connection(_ c: NSURLConnection, didBegin data: Data) {}", naming: "NSURLConnectionDataDelegate")
        == [])
    #expect(
      advice("func urlSession(_ s: URLSession, task: URLSessionTask, didCompleteWithErorr: Int) {}", naming: "A") == [])
  }

  @Test func `a protocol may be named by an extension, or by a class above`() {
    let method = "func urlSession(_ s: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}"
    #expect(DelegateAdvice("class A: NSObject { \(method) }\nextension A: URLSessionDataDelegate {}").sentences.isEmpty)
    let below = "class A: NSObject, URLSessionTaskDelegate {}\nclass B<T>: A {\n  \(method) }"
    #expect(DelegateAdvice(below).sentences.first?.description.hasPrefix("Line 3: ") == true)
  }

  @Test func `no program of the course, solved or not, gets a wrong piece of advice`() throws {
    for exercise in try ExerciseCourse(folder: LessonText().root).exercises {
      for file in exercise.programs {
        let sentences = DelegateAdvice(try exercise.text(of: file)).sentences
        #expect(sentences.isEmpty, "\(exercise.id) \(file)")
      }
    }
  }

  @Test func `the delegates' methods are those that the libraries declare, and none without their sources`() {
    let known = DelegateProtocols.known.methods
    #expect(
      known.contains {
        $0.owner == "URLSessionTaskDelegate" && $0.selector == "urlSession(_:task:didCompleteWithError:)"
      })
    #expect(
      known.contains { $0.owner == "NSURLConnectionDataDelegate" && $0.selector == "connectionDidFinishLoading(_:)" })
    #expect(Set(known.map(\.owner)).count == 9 && known.count > 40)
    #expect(DelegateProtocols(below: FileManager.default.temporaryDirectory).methods.isEmpty)
  }
}
