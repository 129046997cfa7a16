// SPDX-License-Identifier: Apache-2.0
// tlsserver CERTIFICATE-FILE: serves bodies over TLS on a port of 127.0.0.1 that the system chooses, until it is ended.
//
// It makes its key and certificate at the start and writes the certificate to the file, for the clients to trust. The
// last number in a request's target is the body's size in bytes: /body?size=1024. One thread a connection, kept alive.
#include <arpa/inet.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static SSL_CTX *context;
static char piece[16384];

static _Noreturn void fail(const char *what) {
  fprintf(stderr, "tlsserver: %s failed\n", what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static void add_extension(X509 *certificate, int identifier, const char *value) {
  X509V3_CTX extension_context;
  X509V3_set_ctx(&extension_context, certificate, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &extension_context, identifier, value);
  if (!extension || !X509_add_ext(certificate, extension, -1))
    fail("a certificate extension");
  X509_EXTENSION_free(extension);
}

/// A certificate for 127.0.0.1 that vouches for itself.
static void make_certificate(const char *path) {
  EVP_PKEY *key = EVP_EC_gen("P-256");
  X509 *certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 24 * 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME *name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"Workbench benchmarks", -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate, NID_subject_alt_name, "IP:127.0.0.1");
  if (!X509_sign(certificate, key, EVP_sha256()))
    fail("signing");
  FILE *file = fopen(path, "w");
  if (!file || !PEM_write_X509(file, certificate) || fclose(file) != 0)
    fail(path);
  context = SSL_CTX_new(TLS_server_method());
  if (!context || !SSL_CTX_use_certificate(context, certificate) || !SSL_CTX_use_PrivateKey(context, key))
    fail("the TLS context");
  X509_free(certificate);
  EVP_PKEY_free(key);
}

/// Reads up to the blank line that ends a request; 0 when the client has gone.
static int read_request(SSL *tls, char *request, int room) {
  int count = 0;
  while (count < room - 1) {
    int got = SSL_read(tls, request + count, room - 1 - count);
    if (got <= 0)
      return 0;
    count += got;
    request[count] = 0;
    if (strstr(request, "\r\n\r\n"))
      return 1;
  }
  return 0;
}

static int answer(SSL *tls, const char *request) {
  const char *size = strstr(request, "size=");
  long long left = size ? atoll(size + 5) : 0;
  char head[128];
  int length = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %lld\r\n\r\n", left);
  if (SSL_write(tls, head, length) <= 0)
    return 0;
  for (int sent; left > 0; left -= sent) {
    sent = SSL_write(tls, piece, left < (long long)sizeof piece ? (int)left : (int)sizeof piece);
    if (sent <= 0)
      return 0;
  }
  return 1;
}

static void *serve(void *argument) {
  int socket = (int)(long)argument;
  char request[8192];
  SSL *tls = SSL_new(context);
  SSL_set_fd(tls, socket);
  if (SSL_accept(tls) == 1)
    while (read_request(tls, request, sizeof request) && answer(tls, request))
      continue;
  SSL_shutdown(tls);
  SSL_free(tls);
  close(socket);
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fputs("usage: tlsserver CERTIFICATE-FILE\n", stderr);
    return 64;
  }
  signal(SIGPIPE, SIG_IGN);
  make_certificate(arguments[1]);
  for (size_t index = 0; index < sizeof piece; index++)
    piece[index] = (char)(index * 2654435761u >> 13);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 128) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0)
    fail("listening");
  printf("listening on https://127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    pthread_t thread;
    int socket = accept(listener, NULL, NULL);
    if (socket >= 0 && pthread_create(&thread, NULL, serve, (void *)(long)socket) == 0)
      pthread_detach(thread);
  }
}
