// Package broker is a server through which units go: NATS with JetStream, in this process.
package broker

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Options say what a server is like.
type Options struct {
	Address string      // HOST:PORT; port 0 is any that is free
	Dir     string      // keeps everything
	Limit   int64       // how many bytes that may be
	Key     string      // the file with the one key that may connect, which is made if there is none; "": nobody has to show a key
	TLS     *tls.Config // nil: without
}

// Server is a server that runs.
type Server struct {
	nats *server.Server
	lock *flock.Flock
}

// largest is how large a unit, or a result, may be. (nats-server warns beyond it.)
const largest = 8 << 20

// Start starts a server, and returns when it can be reached.
func Start(o Options) (*Server, error) {
	host, port, err := split(o.Address)
	if err != nil {
		return nil, err
	}
	lock, err := locked(o.Dir)
	if err != nil {
		return nil, err
	}
	options := &server.Options{
		ServerName: "ldfi", Host: host, Port: port, DontListen: true,
		JetStream: true, StoreDir: o.Dir, JetStreamMaxStore: o.Limit, JetStreamMaxMemory: 64 << 20,
		MaxPayload: largest, NoSigs: true, DisableJetStreamBanner: true,
		TLSConfig: o.TLS, TLS: o.TLS != nil, TLSTimeout: 5, TLSVerify: o.TLS != nil && o.TLS.ClientCAs != nil,
	}
	if o.Key != "" {
		user, err := o.user()
		if err != nil {
			return nil, errors.Join(err, lock.Unlock())
		}
		options.Nkeys = []*server.NkeyUser{{Nkey: user}}
	}
	s, err := begin(options, o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting the server: %w", err), lock.Unlock())
	}
	return &Server{nats: s, lock: lock}, nil
}

// user is the one that may connect: whoever has the key.
func (o Options) user() (string, error) {
	if err := makeKey(o.Key); err != nil {
		return "", err
	}
	if o.Key == connection.Own(o.Dir) {
		if err := connection.CheckOwn(o.Key); err != nil {
			return "", err
		}
	}
	user, _, err := connection.Key(o.Key)
	return user, err
}

// begin starts a server of NATS. It listens when there is room for what is to be kept: else
// others would begin to make that.
func begin(options *server.Options, o Options) (*server.Server, error) {
	said := &log{}
	s, err := provided(options, o, said)
	if store.Full(err) { // it has kept more until now
		if err := shrink(options, o); err != nil {
			return nil, err
		}
		s, err = provided(options, o, said)
	}
	if store.Full(err) {
		return nil, fmt.Errorf("what is in %s needs more room: give more with --store-limit, or another directory with --dir", o.Dir)
	}
	if err != nil {
		return nil, err
	}
	s.AcceptLoop(make(chan struct{}))
	if s.Addr() == nil {
		s.Shutdown()
		return nil, errors.New(said.why())
	}
	return s, nil
}

// shrink lets what is kept need less room. Until that is done the server has to know more.
func shrink(options *server.Options, o Options) error {
	more := options.Clone()
	more.JetStreamMaxStore = 1 << 60
	s, err := provided(more, o, &log{})
	if err != nil {
		return err
	}
	s.Shutdown()
	s.WaitForShutdown()
	return nil
}

// provided is a server that has room for units and results, and does not listen yet.
func provided(options *server.Options, o Options, said *log) (*server.Server, error) {
	s, err := server.NewServer(options)
	if err != nil {
		return nil, err
	}
	s.SetLoggerV2(said, false, false, false)
	s.Start()
	if s.ReadyForConnections(30*time.Second) && s.JetStreamEnabled() {
		err = provide(s, o)
	} else {
		err = errors.New(said.why())
	}
	if err != nil {
		s.Shutdown()
		s.WaitForShutdown()
		return nil, err
	}
	return s, nil
}

// provide makes room for units and results.
func provide(s *server.Server, o Options) error {
	options := []nats.Option{nats.InProcessServer(s), nats.Name("serve")}
	if o.Key != "" {
		public, sign, err := connection.Key(o.Key)
		if err != nil {
			return err
		}
		options = append(options, nats.Nkey(public, sign))
	}
	nc, err := nats.Connect("", options...)
	if err != nil {
		return err
	}
	defer nc.Close()
	return store.Provide(context.Background(), nc, o.Limit)
}

// split reads an address.
func split(address string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(text)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is no address to listen on: it looks like 127.0.0.1:4222", address)
	}
	taken, err := net.Listen("tcp", address)
	if err != nil {
		return "", 0, fmt.Errorf("%w\nanother server may run there: give another address with --listen", err)
	}
	if err := taken.Close(); err != nil {
		return "", 0, err
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// locked makes the directory, and keeps other servers out of it.
func locked(dir string) (*flock.Flock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the directory of the server: %w", err)
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking the directory of the server: %w", err)
	}
	if !got {
		return nil, fmt.Errorf("another server keeps its units in %s: give another directory with --dir", dir)
	}
	return lock, nil
}

// Address is where the server listens.
func (s *Server) Address() *net.TCPAddr { return s.nats.Addr().(*net.TCPAddr) }

// Stop ends the server. What it keeps stays for the next one.
func (s *Server) Stop() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
	_ = s.lock.Unlock()
}

// log keeps what a server says last of what is wrong.
type log struct {
	mutex sync.Mutex
	last  string
}

// why is why a server did not start.
func (l *log) why() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return cmp.Or(l.last, "it does not answer")
}

func (l *log) Errorf(format string, v ...any) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.last = fmt.Sprintf(format, v...)
}

func (l *log) Fatalf(format string, v ...any) { l.Errorf(format, v...) }
func (l *log) Noticef(string, ...any)         {}
func (l *log) Warnf(string, ...any)           {}
func (l *log) Debugf(string, ...any)          {}
func (l *log) Tracef(string, ...any)          {}
