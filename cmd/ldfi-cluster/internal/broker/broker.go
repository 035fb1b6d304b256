// Package broker is a server through which units go: NATS with JetStream, in this process.
package broker

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// Options say what a server is like.
type Options struct {
	Address string      // HOST:PORT; port 0 is any that is free
	Dir     string      // keeps everything
	Limit   int64       // how many bytes that may be
	User    string      // the public half of the one key that may connect; "": nobody has to prove anything
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
		ServerName: "ldfi", Host: host, Port: port,
		JetStream: true, StoreDir: o.Dir, JetStreamMaxStore: o.Limit, JetStreamMaxMemory: 64 << 20,
		MaxPayload: largest, NoSigs: true, DisableJetStreamBanner: true,
		TLSConfig: o.TLS, TLS: o.TLS != nil, TLSTimeout: 5, TLSVerify: o.TLS != nil && o.TLS.ClientCAs != nil,
	}
	if o.User != "" {
		options.Nkeys = []*server.NkeyUser{{Nkey: o.User}}
	}
	s, err := begin(options)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return &Server{nats: s, lock: lock}, nil
}

// begin starts a server of NATS.
func begin(options *server.Options) (*server.Server, error) {
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	log := &log{}
	s.SetLoggerV2(log, false, false, false)
	s.Start()
	if !s.ReadyForConnections(30*time.Second) || !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("starting the server: %s", log.why())
	}
	return s, nil
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

// Connect connects with the server, past the network. File has the key, if it wants one.
func (s *Server) Connect(file string) (*nats.Conn, error) {
	options := []nats.Option{nats.InProcessServer(s.nats), nats.Name("serve")}
	if file != "" {
		public, sign, err := connection.Key(file)
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Nkey(public, sign))
	}
	return nats.Connect("", options...)
}

// Address is where the server listens.
func (s *Server) Address() *net.TCPAddr { return s.nats.Addr().(*net.TCPAddr) }

// Stop ends the server. What it keeps stays for the next one.
func (s *Server) Stop() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
	_ = s.lock.Unlock()
}
