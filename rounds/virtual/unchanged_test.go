package virtual_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/lineage-driven/ldfi/internal/bubble"
	"github.com/lineage-driven/ldfi/rounds/system"
	"github.com/lineage-driven/ldfi/rounds/virtual"
)

// nothing is a server that does nothing more.
type nothing struct{}

func (nothing) Stop() {}

// With the overlay functions that have to return concrete types fail, and say what to
// use instead.
func TestConcreteTypes(t *testing.T) {
	if !bubble.Exact() {
		t.Skip("this is the program of TestOverlay")
	}
	tcp, udp := &net.TCPAddr{Port: 1}, &net.UDPAddr{Port: 1}
	errs := map[string]func() error{
		"ListenTCP": func() error { _, err := net.ListenTCP("tcp", tcp); return err },
		"DialTCP":   func() error { _, err := net.DialTCP("tcp", nil, tcp); return err },
		"ListenUDP": func() error { _, err := net.ListenUDP("udp", udp); return err },
		"DialUDP":   func() error { _, err := net.DialUDP("udp", nil, udp); return err },
	}
	s := &system.System{
		Name: "concrete", Processes: []string{"a"}, Rounds: 1,
		New: virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
			for name, call := range errs {
				m.Fact("error", name, call().Error())
			}
			return nothing{}, nil
		}}),
	}
	e := run(t, s, "")
	require.Len(t, e.Facts, len(errs))
	for _, f := range e.Facts {
		text := f.Args[2].Text()
		require.Contains(t, text, "net."+f.Args[1].Text()+" has to return a *net.", text)
		require.Contains(t, text, "on a machine of ldfi, use net.", text)
	}
}

// certificate makes one for a machine.
func certificate(name string) (tls.Certificate, *x509.CertPool, error) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: private}, pool, nil
}

// secure asks itself for a page over TLS, from another machine.
type secure struct {
	machine *virtual.Machine
	server  *http.Server
	client  *http.Client
}

func (s *secure) Stop() {
	s.server.Close()
	s.client.CloseIdleConnections()
}

func (s *secure) Request(r system.Request) {
	answer, err := s.client.Get("https://b/")
	if err != nil {
		s.machine.Reply(r, err.Error())
		return
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	s.machine.Reply(r, string(text))
}

// With the overlay TLS works, and is the same every time.
func TestTLS(t *testing.T) {
	if !bubble.Exact() {
		t.Skip("this is the program of TestOverlay")
	}
	own, pool, err := certificate("b")
	require.NoError(t, err)
	s := &system.System{
		Name: "secure", Processes: []string{"a", "b"}, Rounds: 20, Requests: []system.Request{{Round: 1, Process: "a", Payload: "x"}},
		New: virtual.New(virtual.Options{Start: func(m *virtual.Machine) (virtual.Server, error) {
			l, err := net.Listen("tcp", ":443")
			if err != nil {
				return nil, err
			}
			now := func() time.Time { return own.Leaf.NotBefore.Add(time.Hour) }
			s := &secure{machine: m, client: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Time: now}}}}
			s.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "this is secret") })}
			go s.server.Serve(tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{own}, Time: now}))
			return s, nil
		}}),
	}
	own.Leaf, err = x509.ParseCertificate(own.Certificate[0])
	require.NoError(t, err)
	e := run(t, s, "")
	require.Contains(t, facts(e, "reply"), "this is secret")
	var said []string
	for _, m := range e.Messages {
		if m.Relation == "tls" {
			said = append(said, m.From+" "+m.Args[1].Text())
		}
	}
	require.Equal(t, "a TLS client hello", said[0])
	require.True(t, strings.HasPrefix(said[1], "b TLS server hello, TLS change cipher spec, TLS data, "), said[1])
	require.NotContains(t, strings.Join(said, "\n"), "secret")
	require.Equal(t, e.Messages, run(t, s, "").Messages)
}
