package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/store"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/worker"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"
)

// command carries out a command line, and returns what it writes.
func command(t *testing.T, args ...string) (code int, out, complaint string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	code = run(ctx, args, streams{in: strings.NewReader(""), out: &stdout, err: &stderr})
	return code, stdout.String(), stderr.String()
}

// home is where ldfi serve keeps its key, if nothing else is said, of a user who has done nothing yet.
func home(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", os.Getenv("XDG_CACHE_HOME"))
	dir, err := connection.Home()
	require.NoError(t, err)
	return dir
}

// serving starts serve at the home of another user, and returns the URL that it prints, and
// all that it prints.
func serving(t *testing.T, args ...string) (url, printed string) {
	t.Helper()
	home(t) // made first, and so removed when the server has ended
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"serve"}, args...), streams{out: write, err: &stderr})
		write.Close()
	}()
	t.Cleanup(func() {
		stop()
		require.Equal(t, exitDone, <-ended, "%s", &stderr)
	})
	var text strings.Builder
	buffer := make([]byte, 4096)
	for !strings.Contains(text.String(), "a machine that asks") {
		n, err := read.Read(buffer)
		require.NoError(t, err, "%s", &stderr)
		text.Write(buffer[:n])
	}
	return regexp.MustCompile(`(nats|tls)://\S+`).FindString(text.String()), text.String()
}

// On the loopback everything works without a word for the user who has started the server,
// and for nobody else.
func TestServe(t *testing.T) {
	url, printed := serving(t, "--listen", "127.0.0.1:0")
	dir, err := connection.Home()
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf(`the server is at %[1]s
only this user can connect:     the key is %[2]s
a machine that works:           ldfi worker --nats %[1]s
a machine that asks:            ldfi check --workers %[1]s
`, url, filepath.Join(dir, "ldfi.key")), printed)
	code, out, complaint := command(t, "workers", "--nats", url)
	require.Zero(t, code, complaint)
	require.Equal(t, "nobody works there; start a worker: ldfi worker --nats URL\n\n0 units wait, 0 are being done\n", out)
	address := strings.TrimPrefix(url, "nats://")
	code, _, complaint = command(t, "serve", "--dir", t.TempDir(), "--listen", address)
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, "give another address with --listen")

	home(t)
	code, _, complaint = command(t, "workers", "--nats", url)
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, "does not know us: give the key that it was started with (--nkey FILE, or LDFI_NKEY)")
	other, _ := serving(t, "--listen", "127.0.0.1:0")
	require.NotEqual(t, url, other)
	code, _, complaint = command(t, "workers", "--nats", url)
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, "does not know the key in "+os.Getenv("XDG_CACHE_HOME"))
}

// Others have to show the key of the server: that of --nkey, or the one that it makes.
func TestKey(t *testing.T) {
	url, printed := serving(t, "--listen", "0.0.0.0:0")
	dir, err := connection.Home()
	require.NoError(t, err)
	own := filepath.Join(dir, "ldfi.key")
	require.Contains(t, printed, "copy the key to each machine:   "+own)
	require.Contains(t, printed, "ldfi worker --nats "+url+" --nkey "+own)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "nats://"))
	require.NoError(t, err)
	name, err := os.Hostname()
	require.NoError(t, err)
	for _, host := range []string{"127.0.0.1", "localhost", name} { // of this machine all
		code, _, complaint := command(t, "workers", "--nats", "nats://"+host+":"+port)
		require.Zero(t, code, complaint)
	}

	key := filepath.Join(t.TempDir(), "ldfi.key")
	url, printed = serving(t, "--listen", "0.0.0.0:0", "--nkey", key)
	require.Contains(t, printed, "ldfi worker --nats "+url+" --nkey "+key)
	require.Contains(t, printed, "LDFI_NKEY="+key+" ldfi check --workers "+url)
	info, err := os.Stat(key)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	_, port, err = net.SplitHostPort(strings.TrimPrefix(url, "nats://"))
	require.NoError(t, err)
	url = "nats://127.0.0.1:" + port
	code, _, complaint := command(t, "workers", "--nats", url)
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, "does not know us: give the key that it was started with (--nkey FILE, or LDFI_NKEY)")
	code, _, complaint = command(t, "workers", "--nats", url, "--nkey", key)
	require.Zero(t, code)
	require.Empty(t, complaint)
	require.NoError(t, os.Chmod(key, 0o640))
	code, _, complaint = command(t, "workers", "--nats", url, "--nkey", key)
	require.Zero(t, code)
	require.Equal(t, "warning: others on this machine can read the key in "+key+": chmod 600 "+key+"\n", complaint)
	t.Setenv("LDFI_NKEY", key)
	code, _, complaint = command(t, "workers", "--nats", url)
	require.Zero(t, code, complaint)

	other := filepath.Join(t.TempDir(), "other.key")
	_, _ = serving(t, "--listen", "127.0.0.1:0", "--nkey", other)
	code, _, complaint = command(t, "workers", "--nats", url, "--nkey", other)
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, "does not know the key in "+other)
	require.NoError(t, os.WriteFile(other, []byte("hello"), 0o600))
	_, _, complaint = command(t, "workers", "--nats", url, "--nkey", other)
	require.Contains(t, complaint, "has no key")
}

// With certificates nobody else listens, and with an authority nobody else connects.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	authority := certify(t, dir, "ca", nil)
	certify(t, dir, "server", authority)
	certify(t, dir, "client", authority)
	file := func(name string) string { return filepath.Join(dir, name) }

	url, _ := serving(t, "--listen", "127.0.0.1:0", "--tls-cert", file("server.crt"), "--tls-key", file("server.key"))
	require.Regexp(t, "^tls://", url)
	code, _, complaint := command(t, "workers", "--nats", url)
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, "give that with --tls-ca FILE (or LDFI_TLS_CA)")
	code, _, complaint = command(t, "workers", "--nats", url, "--tls-ca", file("ca.crt"))
	require.Zero(t, code, complaint)
	t.Setenv("LDFI_TLS_CA", file("ca.crt"))
	code, _, complaint = command(t, "workers", "--nats", url)
	require.Zero(t, code, complaint)

	url, _ = serving(t, "--listen", "127.0.0.1:0", "--tls-cert", file("server.crt"), "--tls-key", file("server.key"), "--tls-ca", file("ca.crt"))
	code, _, complaint = command(t, "workers", "--nats", url)
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, "--tls-cert")
	code, _, complaint = command(t, "workers", "--nats", url, "--tls-cert", file("client.crt"), "--tls-key", file("client.key"))
	require.Zero(t, code, complaint)

	code, _, complaint = command(t, "workers", "--nats", url, "--tls-cert", file("client.crt"))
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, "--tls-cert and --tls-key go together")
}

type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// certify writes a key and its certificate.
func certify(t *testing.T, dir, name string, by *authority) *authority {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	signer := &authority{template, key}
	if by == nil {
		template.IsCA, template.BasicConstraintsValid, template.KeyUsage, template.ExtKeyUsage = true, true, x509.KeyUsageCertSign, nil
	} else {
		signer = by
	}
	der, err := x509.CreateCertificate(rand.Reader, template, signer.certificate, &key.PublicKey, signer.key)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	write := func(ending, kind string, bytes []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+ending), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600))
	}
	write(".crt", "CERTIFICATE", der)
	write(".key", "PRIVATE KEY", secret)
	return &authority{template, key}
}

// What is wrong is said, with what to do about it.
func TestComplaints(t *testing.T) {
	bare, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	require.NoError(t, err)
	bare.Start()
	defer bare.Shutdown()
	require.True(t, bare.ReadyForConnections(10*time.Second))
	for want, args := range map[string][]string{
		"which server? Give its address with --nats":                         {"workers"},
		"is not the address of a server":                                     {"workers", "--nats", "localhost"},
		"what --nats says is not the address":                                {"workers", "--nats", "nats://me:secret\x00@here"},
		"no server answers at nats://127.0.0.1:1\nstart one":                 {"workers", "--nats", "nats://127.0.0.1:1"},
		"no server answers at nats://me:xxxxx@127.0.0.1:1":                   {"workers", "--nats", "nats://me:secret@127.0.0.1:1"},
		"enable JetStream in it (nats-server -js), or start a server":        {"workers", "--nats", bare.ClientURL()},
		"making the key /nowhere/key: the directory /nowhere does not exist": {"serve", "--nkey", "/nowhere/key"},
		"such as 512MiB or 4GiB":                                             {"serve", "--store-limit", "0GiB"},
		`"4222" is no address to listen on`:                                  {"serve", "--listen", "4222"},
		"TLS needs a certificate of the server":                              {"serve", "--tls-ca", "x"},
		"reading a key":                                                      {"workers", "--nats", "nats://127.0.0.1:1", "--nkey", "/nowhere/key"},
		"reading credentials":                                                {"workers", "--nats", "nats://127.0.0.1:1", "--creds", "/nowhere/creds"},
		"there is text or json":                                              {"workers", "--output", "yaml"},
		"--slots and --time have to be above 0\nsee ldfi-cluster worker":     {"worker", "--nats", "nats://127.0.0.1:1", "--slots", "0"},
	} {
		args := args
		if args[0] == "serve" {
			args = append(args, "--dir", t.TempDir())
		}
		code, _, complaint := command(t, args...)
		require.Equal(t, exitUsage, code, want)
		require.Contains(t, complaint, want)
		require.NotContains(t, complaint, "secret")
	}
}

// Each program says which one it is.
func TestVersion(t *testing.T) {
	code, out, complaint := command(t, "version")
	require.Zero(t, code, complaint)
	require.Equal(t, fmt.Sprintf("ldfi-cluster %s, %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH), out)
}

// failing is a slot in which units come to nothing.
type failing struct{}

func (failing) Do(context.Context, *work.Unit, time.Duration, func(string) ([]byte, error)) (*work.Result, error) {
	return &work.Result{Failure: "it crashed\x1b[2J", Log: "panic: one\n\x1b]0;two\n", Tries: 1}, nil
}

func (failing) Close() error { return nil }

// workers lists who is there, what has failed, and the end of its log.
func TestWorkers(t *testing.T) {
	url, _ := serving(t, "--listen", "127.0.0.1:0")
	nc, err := connection.Open("test", connection.Options{URL: url})
	require.NoError(t, err)
	defer nc.Close()
	kept, err := store.Open(t.Context(), nc)
	require.NoError(t, err)
	ctx, end := context.WithCancel(t.Context())
	var working sync.WaitGroup
	working.Go(func() {
		_ = worker.Run(ctx, nc, kept, worker.Options{Name: "one\nline", Build: "v1", Version: "v0.1.0", Platform: "plan9/mips", Slots: []worker.Slot{failing{}}, Note: func(string, ...any) {}})
	})
	defer working.Wait()
	defer end()

	in, orders := io.Pipe()
	var reports bytes.Buffer
	carried := make(chan int, 1)
	go func() {
		carried <- run(t.Context(), []string{"carry", "--nats", url}, streams{in: in, out: &reports, err: io.Discard})
	}()
	u := &work.Unit{Kind: work.Draws, Build: "v1", Ask: []byte("1")}
	for _, o := range []work.Order{{Build: "v1"}, {Unit: u, Number: 1}} {
		line, err := work.WriteLine(o)
		require.NoError(t, err)
		_, err = orders.Write(line)
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		_, out, _ := command(t, "workers", "--nats", url)
		return strings.Count(out, "failed: draws "+u.Address()[:12]) == 3
	}, 15*time.Second, time.Second)
	require.NoError(t, orders.Close())
	require.Zero(t, <-carried)
	require.Contains(t, reports.String(), `"tries":3`)

	_, out, _ := command(t, "workers", "--nats", url)
	require.Regexp(t, `^worker +ldfi +platform +slots +done +failed +does
one\S+line +v0.1.0, build v1 +plan9/mips +1 +3 +3 +nothing

0 units wait, 0 are being done
`, out)
	require.Contains(t, out, "\n  panic: one\n")
	require.NotContains(t, out, "\x1b")

	_, out, _ = command(t, "workers", "--nats", url, "--output", "json")
	var all attendance
	require.NoError(t, json.Unmarshal([]byte(out), &all))
	require.Equal(t, "one\nline", all.Workers[0].Name)
	require.EqualValues(t, 3, all.Workers[0].Failed)
	require.Len(t, all.Failures, 3)
}
