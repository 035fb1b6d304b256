// Package connection reaches the server through which units go.
package connection

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Options say where the server is, and what proves who we are. Each but the URL is the
// name of a file, or "".
type Options struct {
	URL           string
	Nkey, Creds   string
	CA, Cert, Key string
}

// FromEnvironment fills in what no flag has said.
func (o *Options) FromEnvironment() {
	for name, field := range map[string]*string{
		"LDFI_NKEY": &o.Nkey, "LDFI_CREDS": &o.Creds,
		"LDFI_TLS_CA": &o.CA, "LDFI_TLS_CERT": &o.Cert, "LDFI_TLS_KEY": &o.Key,
	} {
		if *field == "" {
			*field = os.Getenv(name)
		}
	}
}

// Open connects, once; whoever is connected comes back by itself after every interruption.
func Open(name string, o Options, more ...nats.Option) (*nats.Conn, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	options := []nats.Option{
		nats.Name(name),
		nats.Timeout(5 * time.Second),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 250*time.Millisecond),
		nats.PingInterval(2 * time.Second),
		nats.MaxPingsOutstanding(2),
		nats.ReconnectBufSize(-1), // what is lost with the connection is said again by who knows whether it is still true
	}
	secrets, err := o.secrets()
	if err != nil {
		return nil, err
	}
	nc, err := nats.Connect(o.URL, append(append(options, secrets...), more...)...)
	if err != nil {
		return nil, explain(o.shown(), err)
	}
	return nc, nil
}

// check reports a URL that is none.
func (o Options) check() error {
	u, err := url.Parse(o.URL)
	switch {
	case o.URL == "":
		return errors.New("which server? Give its address with --nats, as ldfi serve prints it: nats://HOST:4222")
	case err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls":
		return fmt.Errorf("%s is not the address of a server: it looks like nats://HOST:4222, or tls://HOST:4222", o.shown())
	}
	return nil
}

// shown is the URL without the password.
func (o Options) shown() string {
	u, err := url.Parse(o.URL)
	if err != nil {
		return "what --nats says" // which may have a password in it
	}
	return u.Redacted()
}

// secrets returns what proves who we are, and who the server is.
func (o Options) secrets() ([]nats.Option, error) {
	var all []nats.Option
	if o.Nkey != "" {
		public, sign, err := Key(o.Nkey)
		if err != nil {
			return nil, err
		}
		all = append(all, nats.Nkey(public, sign))
	}
	if o.Creds != "" {
		if _, err := files.Read(o.Creds, files.Text); err != nil {
			return nil, fmt.Errorf("reading credentials: %w", err)
		}
		all = append(all, nats.UserCredentials(o.Creds))
	}
	if o.CA != "" || o.Cert != "" || o.Key != "" {
		config, err := TLS(o.CA, o.Cert, o.Key)
		if err != nil {
			return nil, err
		}
		all = append(all, nats.Secure(config))
	}
	return all, nil
}

// Key reads the seed of a key, and returns its public half and how to sign with it.
func Key(file string) (public string, sign func([]byte) ([]byte, error), err error) {
	text, err := files.Read(file, files.Text)
	if err != nil {
		return "", nil, fmt.Errorf("reading a key: %w", err)
	}
	pair, err := nkeys.ParseDecoratedNKey(text)
	if err == nil {
		public, err = pair.PublicKey()
	}
	if err != nil || !nkeys.IsValidPublicUserKey(public) {
		return "", nil, fmt.Errorf("%s has no key: it should have a line that begins with SU, as ldfi serve --nkey writes it", file)
	}
	return public, pair.Sign, nil
}

// TLS reads the authority of the other side, and the certificate of this one.
func TLS(ca, cert, key string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if (cert == "") != (key == "") {
		return nil, errors.New("--tls-cert and --tls-key go together: one of them is missing")
	}
	if ca != "" {
		text, err := files.Read(ca, files.Text)
		if err != nil {
			return nil, fmt.Errorf("reading --tls-ca: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s has no certificate in PEM", ca)
		}
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("reading --tls-cert and --tls-key: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// explain says what to do about a server that cannot be reached.
func explain(url string, err error) error {
	var authority x509.UnknownAuthorityError
	switch {
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("no server answers at %s\nstart one on its machine: ldfi serve", url)
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("the server at %s does not know us: give the key that it was started with (--nkey FILE, or LDFI_NKEY), or other credentials (--creds, a user and a password in the URL)", url)
	case errors.As(err, &authority):
		return fmt.Errorf("connecting to %s: its certificate is signed by an authority that this machine does not know: give that with --tls-ca FILE (or LDFI_TLS_CA)", url)
	case errors.Is(err, nats.ErrSecureConnWanted), errors.Is(err, nats.ErrSecureConnRequired):
		return fmt.Errorf("connecting to %s: the server wants TLS: write tls:// in place of nats://", url)
	case strings.Contains(err.Error(), "after TLS handshake"), strings.Contains(err.Error(), "certificate required"):
		return fmt.Errorf("the server at %s wants a certificate of this machine: give it with --tls-cert FILE and --tls-key FILE (or LDFI_TLS_CERT and LDFI_TLS_KEY)", url)
	}
	return fmt.Errorf("connecting to %s: %w", url, err)
}
