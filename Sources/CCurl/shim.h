// SPDX-License-Identifier: Apache-2.0
// Typed forms of libcurl's variadic functions, which Swift cannot call. One function per kind of argument.
#pragma once
#include <curl/curl.h>

static inline CURLcode workbench_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode workbench_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode workbench_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode workbench_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode workbench_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
// CURLOPT_CAINFO_BLOB: libcurl copies the bytes.
static inline CURLcode workbench_easy_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}

// http and https, and nothing else. CURLOPT_PROTOCOLS_STR parses its list for every handle; the numbers do not.
static inline CURLcode workbench_easy_allow_http_only(CURL *easy) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma GCC diagnostic pop
}

// NTLM and nothing else; Swift does not see macros with casts, such as CURLAUTH_NTLM.
static inline CURLcode workbench_easy_log_in_by_ntlm(CURL *easy) {
  return curl_easy_setopt(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_NTLM);
}
static inline CURLcode workbench_easy_log_in_at_proxy_by_ntlm(CURL *easy) {
  return curl_easy_setopt(easy, CURLOPT_PROXYAUTH, (long)CURLAUTH_NTLM);
}

typedef size_t (*workbench_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*workbench_debug_callback)(CURL *easy, curl_infotype kind, char *bytes, size_t count, void *context);
typedef int (*workbench_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*workbench_prereq_callback)(void *context, char *remoteAddress, char *localAddress, int remotePort,
                                         int localPort);
typedef int (*workbench_sockopt_callback)(void *context, curl_socket_t socket, curlsocktype purpose);
typedef int (*workbench_closesocket_callback)(void *context, curl_socket_t socket);
typedef CURLcode (*workbench_ssl_context_callback)(CURL *easy, void *context, void *user);
typedef int (*workbench_resolver_start_callback)(void *resolver, void *reserved, void *context);

static inline CURLcode workbench_easy_set_data_callback(CURL *easy, CURLoption option, workbench_data_callback call) {
  return curl_easy_setopt(easy, option, call);
}
static inline CURLcode workbench_easy_set_debug_callback(CURL *easy, workbench_debug_callback call) {
  return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, call);
}
static inline CURLcode workbench_easy_set_seek_callback(CURL *easy, workbench_seek_callback call) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, call);
}
static inline CURLcode workbench_easy_set_prereq_callback(CURL *easy, workbench_prereq_callback call) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, call);
}
static inline CURLcode workbench_easy_set_sockopt_callback(CURL *easy, workbench_sockopt_callback call) {
  return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, call);
}
static inline curl_socket_t workbench_open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context, (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
static inline CURLcode workbench_easy_open_sockets_close_on_exec(CURL *easy) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, workbench_open_socket);
}
static inline CURLcode workbench_easy_set_closesocket_callback(CURL *easy, workbench_closesocket_callback call) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, call);
}
static inline CURLcode workbench_easy_set_resolver_start_callback(CURL *easy, workbench_resolver_start_callback call) {
  return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, call);
}

static inline CURLcode workbench_easy_set_ssl_context_callback(CURL *easy, workbench_ssl_context_callback call) {
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, call);
}

static inline CURLcode workbench_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode workbench_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode workbench_easy_get_string(CURL *easy, CURLINFO info, const char **value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode workbench_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

// CURLINFO_ACTIVESOCKET; CURL_SOCKET_BAD without a connection.
static inline curl_socket_t workbench_easy_active_socket(CURL *easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : CURL_SOCKET_BAD;
}
// CURLINFO_TLS_SSL_PTR: OpenSSL's SSL of the connection, or NULL.
static inline void *workbench_easy_active_tls(CURL *easy) {
  const struct curl_tlssessioninfo *info = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return NULL;
  return info->backend == CURLSSLBACKEND_OPENSSL ? info->internals : NULL;
}

typedef int (*workbench_socket_callback)(CURL *easy, curl_socket_t socket, int what, void *context, void *assigned);
typedef int (*workbench_timer_callback)(CURLM *multi, long timeoutMilliseconds, void *context);

static inline CURLMcode workbench_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode workbench_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode workbench_multi_set_socket_callback(CURLM *multi, workbench_socket_callback call) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, call);
}
static inline CURLMcode workbench_multi_set_timer_callback(CURLM *multi, workbench_timer_callback call) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, call);
}
static inline CURLcode workbench_message_result(const CURLMsg *message) { return message->data.result; }

static inline CURLSHcode workbench_share_set_long(CURLSH *share, CURLSHoption option, long value) {
  return curl_share_setopt(share, option, value);
}
