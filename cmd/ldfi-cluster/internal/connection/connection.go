// Package connection reaches the server through which units go.
package connection

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Options say where the server is, and what proves who we are: names of files, or "".
type Options struct {
	URL           string
	Nkey, Creds   string
	CA, Cert, Key string
	Proof         bool // a server that nobody has to prove anything to is refused
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
// A server on this machine that wants to know who we are, where nothing says so, is shown
// the key that ldfi serve has made for this user.
func Open(name string, o Options, more ...nats.Option) (*nats.Conn, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	nc, err := o.connect(name, more)
	if errors.Is(err, nats.ErrAuthorization) && !o.shows() && o.here() {
		home, missing := Home()
		if missing == nil && exists(Own(home)) {
			o.Nkey = Own(home)
			if err := CheckOwn(o.Nkey); err != nil {
				return nil, err
			}
			nc, err = o.connect(name, more)
		}
	}
	if err != nil {
		return nil, o.explain(err)
	}
	return nc, nil
}

// connect connects once, with what proves who we are, and to whom that has to be proven if
// that is asked for.
func (o Options) connect(name string, more []nats.Option) (*nats.Conn, error) {
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
	secrets, asked, err := o.secrets()
	if err != nil {
		return nil, err
	}
	nc, err := nats.Connect(o.URL, append(append(options, secrets...), more...)...)
	if err == nil && o.Proof && !nc.AuthRequired() && !asked.Load() {
		nc.Close()
		return nil, errOpen
	}
	return nc, err
}

// errOpen is a server that takes whoever comes.
var errOpen = errors.New("it asks nobody for a key, credentials or a certificate")

// shows tells whether something says what proves who we are.
func (o Options) shows() bool {
	u, err := url.Parse(o.URL)
	return o.Nkey != "" || o.Creds != "" || o.Cert != "" || err == nil && u.User != nil
}

// here tells whether the server is on this machine: no other one is shown a key that nobody
// has named.
func (o Options) here() bool {
	u, err := url.Parse(o.URL)
	if err != nil {
		return false
	}
	if Local(u.Hostname()) {
		return true
	}
	if name, err := os.Hostname(); err == nil && strings.EqualFold(name, u.Hostname()) {
		return true
	}
	addresses, _ := net.InterfaceAddrs() // none: then it is another machine
	return slices.ContainsFunc(addresses, func(a net.Addr) bool {
		of, ok := a.(*net.IPNet)
		return ok && of.IP.Equal(net.ParseIP(u.Hostname()))
	})
}

// Local tells whether only this machine can connect with a host.
func Local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
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
	if why := Exposed(o.Nkey); o.Proof && why != "" {
		return fmt.Errorf("--allow-hosts: whoever knows the key runs programs as this user, and %s", why)
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

// secrets returns what proves who we are, and who the server is; and whether the server has
// asked for our certificate, when it is connected.
func (o Options) secrets() (all []nats.Option, asked *atomic.Bool, err error) {
	asked = new(atomic.Bool)
	if o.Nkey != "" {
		public, sign, err := Key(o.Nkey)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, nats.Nkey(public, sign))
	}
	if o.Creds != "" {
		if _, err := files.Read(o.Creds, files.Text); err != nil {
			return nil, nil, fmt.Errorf("reading credentials: %w", err)
		}
		all = append(all, nats.UserCredentials(o.Creds))
	}
	if o.CA != "" || o.Cert != "" || o.Key != "" {
		config, err := TLS(o.CA, o.Cert, o.Key)
		if err != nil {
			return nil, nil, err
		}
		if own := config.Certificates; len(own) > 0 {
			config.Certificates, config.GetClientCertificate = nil, func(want *tls.CertificateRequestInfo) (*tls.Certificate, error) {
				if want.SupportsCertificate(&own[0]) != nil {
					return new(tls.Certificate), nil // which is none
				}
				asked.Store(true)
				return &own[0], nil
			}
		}
		all = append(all, nats.Secure(config))
	}
	return all, asked, nil
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
		return "", nil, fmt.Errorf("%s has no key: it should have a line that begins with SU, as ldfi serve writes it", file)
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
func (o Options) explain(err error) error {
	url := o.shown()
	var authority x509.UnknownAuthorityError
	switch {
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("no server answers at %s\nstart one on its machine: ldfi serve", url)
	case errors.Is(err, errOpen), o.Proof && errors.Is(err, nats.ErrNkeysNotSupported):
		return fmt.Errorf("--allow-hosts: the server at %s asks nobody for a key, credentials or a certificate, so that whoever reaches it, such as any account of its machine, could run programs as this user\nstart ldfi serve, which makes a key, or demand credentials of your NATS server", url)
	case errors.Is(err, nats.ErrNkeysNotSupported):
		return fmt.Errorf("the server at %s asks for no key: leave out --nkey and LDFI_NKEY", url)
	case errors.Is(err, nats.ErrAuthorization) && o.Nkey != "":
		return fmt.Errorf("the server at %s does not know the key in %s: give the one that it was started with (--nkey FILE, or LDFI_NKEY), or other credentials (--creds, a user and a password in the URL)", url, o.Nkey)
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
