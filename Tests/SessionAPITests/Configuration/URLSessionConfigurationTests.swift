// SPDX-License-Identifier: Apache-2.0
import SessionAPI
import Testing

@Suite struct URLSessionConfigurationTests {
  @Test(arguments: [URLSessionConfiguration.default, .ephemeral])
  func `a new configuration has Apple's defaults (B.4)`(configuration: URLSessionConfiguration) {
    #expect(configuration.timeoutIntervalForRequest == 60)
    #expect(configuration.timeoutIntervalForResource == 604_800)
    #expect(configuration.httpMaximumConnectionsPerHost == 6)
    #expect(configuration.httpAdditionalHeaders == nil)
  }

  @Test func `what has no effect has Apple's defaults, is read back and copied (B.4)`() throws {
    let one = URLSessionConfiguration.default
    #expect(one.networkServiceType == .default && one.multipathServiceType == .none && one.identifier == nil)
    #expect(one.allowsCellularAccess && one.allowsExpensiveNetworkAccess && one.allowsConstrainedNetworkAccess)
    #expect(one.sessionSendsLaunchEvents && one.usesClassicLoadingMode && one.sharedContainerIdentifier == nil)
    #expect(!one.isDiscretionary && !one.httpShouldUsePipelining && !one.shouldUseExtendedBackgroundIdleMode)
    #expect(!one.requiresDNSSECValidation && !one.enablesEarlyData && !one.allowsUltraConstrainedNetworkAccess)
    one.networkServiceType = .video
    one.multipathServiceType = .handover
    one.allowsCellularAccess = false
    one.sharedContainerIdentifier = "group"
    let copy = try #require(one.copy() as? URLSessionConfiguration)
    #expect(copy.networkServiceType == .video && copy.multipathServiceType == .handover)
    #expect(!copy.allowsCellularAccess && copy.sharedContainerIdentifier == "group")
    copy.sharedContainerIdentifier = nil
    #expect(copy.sharedContainerIdentifier == nil && one.sharedContainerIdentifier == "group")
  }

  @Test func `every kind of traffic has Apple's name, and the value of the nearest that is there (B.4)`() {
    let kinds: [(NSURLRequest.NetworkServiceType, NSURLRequest.NetworkServiceType)] = [
      (.default, .default), (.voip, .voip), (.video, .video), (.background, .background), (.voice, .voice),
      (.callSignaling, .networkServiceTypeCallSignaling), (.responsiveData, .default), (.avStreaming, .video),
      (.responsiveAV, .voice),
    ]
    let configuration = URLSessionConfiguration.default
    var request = URLRequest(url: URL(fileURLWithPath: "/"))
    for (kind, value) in kinds {
      configuration.networkServiceType = kind
      request.networkServiceType = kind
      #expect(configuration.networkServiceType == value && request.networkServiceType == kind)
    }
    let alike: URLRequest.NetworkServiceType = .avStreaming
    switch alike {
    case .avStreaming, .responsiveAV: break
    default: Issue.record("the name is no pattern of its own value")
    }
  }

  @Test func `each call gives a fresh object (B.3)`() {
    let one = URLSessionConfiguration.default
    one.timeoutIntervalForRequest = 5
    #expect(URLSessionConfiguration.default !== one)
    #expect(URLSessionConfiguration.default.timeoutIntervalForRequest == 60)
  }

  @Test func `a copy has the values and goes its own way (B.3)`() throws {
    let one = URLSessionConfiguration.default
    one.timeoutIntervalForResource = 1.5
    one.httpAdditionalHeaders = ["X-Number": 3]
    one.httpMaximumConnectionsPerHost = 2
    let copy = try #require(one.copy() as? URLSessionConfiguration)
    #expect(copy.timeoutIntervalForResource == 1.5)
    #expect(copy.httpAdditionalHeaders as? [String: String] == ["X-Number": "3"])
    #expect(copy.httpMaximumConnectionsPerHost == 2)
    copy.timeoutIntervalForResource = 2
    #expect(one.timeoutIntervalForResource == 1.5)
  }

  @Test func `a session copies its configuration, when it is made and whenever it is asked (B.1)`() {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 7
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    configuration.timeoutIntervalForRequest = 8
    #expect(session.configuration.timeoutIntervalForRequest == 7)
    session.configuration.timeoutIntervalForRequest = 9
    #expect(session.configuration.timeoutIntervalForRequest == 7)
  }
}
