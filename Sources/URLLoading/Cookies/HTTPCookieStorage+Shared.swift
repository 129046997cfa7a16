// SPDX-License-Identifier: Apache-2.0
public import FoundationNetworking

extension HTTPCookieStorage {
  /// The cookies of this program, which sessions with a `default` configuration and all connections share. They lie in a
  /// file of the program's own (mode 0600), named after its bundle's identifier, else after its executable and a hash of
  /// where that lies.
  ///
  /// Takes the place of the toolchain's property, whose file all programs share whose executables lie in folders of one
  /// name. Each program takes the cookies of that file over once. In a file that imports
  /// FoundationNetworking as well, the compiler cannot tell the two apart and says so.
  public class var shared: HTTPCookieStorage { CookieFile.shared }
}
