package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/broker"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"
)

// Two servers do not share a directory.
func TestOneServerInADirectory(t *testing.T) {
	dir := t.TempDir()
	_, _ = serving(t, "--listen", "127.0.0.1:0", "--dir", dir)
	code, _, complaint := command(t, "serve", "--listen", "127.0.0.1:0", "--dir", dir)
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, "another server keeps its units in "+dir)
}

// However many servers begin at once, one of them serves a directory, and its key is the one
// that lies there. Two in two directories with one file agree about the key.
func TestServersBeginAtOnce(t *testing.T) {
	dir, shared := t.TempDir(), filepath.Join(t.TempDir(), "ldfi.key")
	begin := func(key func(i int) broker.Options) (all []*broker.Server) {
		var begun sync.WaitGroup
		var mutex sync.Mutex
		for i := range 4 {
			begun.Go(func() {
				o := key(i)
				o.Address, o.Limit = "127.0.0.1:0", 1<<30
				if s, err := broker.Start(o); err == nil {
					mutex.Lock()
					defer mutex.Unlock()
					all = append(all, s)
				} else {
					require.ErrorContains(t, err, "another server keeps its units in")
				}
			})
		}
		begun.Wait()
		return all
	}
	connects := func(all []*broker.Server, key string) {
		for _, s := range all {
			nc, err := connection.Open("test", connection.Options{URL: "nats://" + s.Address().String(), Nkey: key, Proof: true})
			require.NoError(t, err)
			nc.Close()
			s.Stop()
		}
	}
	one := begin(func(int) broker.Options { return broker.Options{Dir: dir, Key: connection.Own(dir)} })
	require.Len(t, one, 1)
	connects(one, connection.Own(dir))
	each := make([]string, 4)
	for i := range each {
		each[i] = t.TempDir()
	}
	four := begin(func(i int) broker.Options { return broker.Options{Dir: each[i], Key: shared} })
	require.Len(t, four, 4)
	connects(four, shared)
	left, err := os.ReadDir(filepath.Dir(shared))
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// A key that nobody has named is used only if nobody but this user can know it: neither the
// server nor anybody who connects takes another one.
func TestForeignKeys(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes here")
	}
	attacker := filepath.Join(t.TempDir(), "attacker.key")
	_, _ = serving(t, "--listen", "127.0.0.1:0", "--nkey", attacker)
	text, err := os.ReadFile(attacker)
	require.NoError(t, err)
	put := func(t *testing.T, key string, text []byte, mode os.FileMode) {
		require.NoError(t, os.WriteFile(key, text, 0o600))
		require.NoError(t, os.Chmod(key, mode))
	}
	url, _ := serving(t, "--listen", "127.0.0.1:0") // to which the user means to connect
	for name, c := range map[string]struct {
		put  func(t *testing.T, key string)
		want string
	}{
		"everybody can read it": {func(t *testing.T, key string) { put(t, key, text, 0o644) }, "others on this machine can read the key in "},
		"the group can read it": {func(t *testing.T, key string) { put(t, key, text, 0o640) }, "others on this machine can read the key in "},
		"another user's": {func(t *testing.T, key string) {
			if os.Geteuid() != 0 {
				t.Skip("only root can make files of others")
			}
			put(t, key, text, 0o600)
			require.NoError(t, os.Chown(key, 4711, 4711))
		}, "is a file of another user"},
		"a link":            {func(t *testing.T, key string) { require.NoError(t, os.Symlink(attacker, key)) }, "is a link"},
		"a link to nowhere": {func(t *testing.T, key string) { require.NoError(t, os.Symlink(attacker+"2", key)) }, "is a link"},
		"empty":             {func(t *testing.T, key string) { put(t, key, nil, 0o600) }, "has no key"},
		"a pipe's place":    {func(t *testing.T, key string) { require.NoError(t, os.Mkdir(key, 0o700)) }, "ldfi.key"},
		"in a directory of all": {func(t *testing.T, key string) {
			put(t, key, text, 0o600)
			require.NoError(t, os.Chmod(filepath.Dir(key), 0o777))
		}, "others can put another key in the place of "},
	} {
		t.Run(name, func(t *testing.T) {
			dir := home(t)
			require.NoError(t, os.MkdirAll(dir, 0o700))
			c.put(t, filepath.Join(dir, "ldfi.key"))
			code, out, complaint := command(t, "serve", "--listen", "127.0.0.1:0")
			require.Equal(t, exitUsage, code, out)
			require.Contains(t, complaint, c.want)
			code, _, complaint = command(t, "workers", "--nats", url)
			require.Equal(t, exitUsage, code)
			require.Contains(t, complaint, c.want)
			require.NoFileExists(t, attacker+"2")
		})
	}
}

// working starts a worker that may start programs, ends it when it works, and returns what it
// says.
func working(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	var all strings.Builder
	read, write := io.Pipe()
	go func() {
		code = run(ctx, append([]string{"worker", "--allow-hosts", "--slots", "1"}, args...), streams{out: io.Discard, err: write})
		write.Close()
	}()
	lines := bufio.NewScanner(read)
	for lines.Scan() {
		fmt.Fprintln(&all, lines.Text())
		if strings.Contains(lines.Text(), "does units of") {
			stop()
		}
	}
	return code, all.String()
}

// Programs are started only for who has proven something, with what others do not know.
func TestProof(t *testing.T) {
	program := filepath.Join(t.TempDir(), "ldfi")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho '{\"build\":\"v1\",\"version\":\"v0.1.0\"}'\n"), 0o700))
	t.Setenv("LDFI", program)
	free, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir()})
	require.NoError(t, err)
	free.Start()
	defer free.Shutdown()
	require.True(t, free.ReadyForConnections(10*time.Second))
	dir := t.TempDir()
	authority := certify(t, dir, "ca", nil)
	certify(t, dir, "server", authority)
	certify(t, dir, "client", authority)
	file := func(name string) string { return filepath.Join(dir, name) }
	key := file("ldfi.key")
	keyed, _ := serving(t, "--listen", "127.0.0.1:0", "--nkey", key)
	exposed := file("exposed.key")
	text, err := os.ReadFile(key)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(exposed, text, 0o644))
	tls, _ := serving(t, "--listen", "127.0.0.1:0", "--tls-cert", file("server.crt"), "--tls-key", file("server.key"), "--tls-ca", file("ca.crt"))
	client := []string{"--tls-ca", file("ca.crt"), "--tls-cert", file("client.crt"), "--tls-key", file("client.key")}
	own, _ := serving(t, "--listen", "127.0.0.1:0")

	const open = "asks nobody for a key, credentials or a certificate"
	for _, c := range []struct {
		args []string
		want string // "": it works
	}{
		{[]string{"--nats", free.ClientURL()}, open},
		{[]string{"--nats", "nats://me:secret@" + free.Addr().String()}, open},
		{[]string{"--nats", free.ClientURL(), "--nkey", key}, open},
		{[]string{"--nats", own}, ""},
		{[]string{"--nats", keyed}, "does not know"},
		{[]string{"--nats", keyed, "--nkey", key}, ""},
		{[]string{"--nats", keyed, "--nkey", exposed}, "whoever knows the key runs programs as this user, and others on this machine can read the key in "},
		{append(client, "--nats", tls), ""},
	} {
		code, said := working(t, c.args...)
		if c.want == "" {
			require.Contains(t, said, "does units of ldfi", c.args)
			require.Equal(t, exitDone, code, c.args)
			continue
		}
		require.Equal(t, exitUsage, code, c.args)
		require.Contains(t, said, c.want, c.args)
		require.NotContains(t, said, "secret")
	}
}
