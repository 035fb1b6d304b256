package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"path/filepath"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/broker"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/spf13/cobra"
)

// serveFlags say what a server is like.
type serveFlags struct {
	listen, dir   string
	limit         size
	nkey          string
	ca, cert, key string
}

func (s streams) serveCommand() *cobra.Command {
	flags := serveFlags{limit: 4 << 30}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the server through which the work goes",
		Long: `serve runs the server through which units of work go to workers, and results come back. It keeps them in a directory:
a server that was killed goes on where it was when it is started again. Ctrl-C ends it.

Whoever has its key may connect, and nobody else: hand out work, do it, and read what others send. The key is a file that only this user
can read: ldfi.key in the directory, which workers and commands of this user on this machine find by themselves, or that of --nkey. With
--tls-ca others show certificates in place of it.

It listens on this machine only. For others say --listen 0.0.0.0:4222. What they send to each other is encrypted with --tls-cert and
--tls-key only.

A NATS server of your own does as well, if JetStream is enabled in it: nothing has to be set up there.

Exit codes: 0 ended by Ctrl-C, 2 wrong usage, or it cannot start.`,
		Example: `  ldfi serve
  ldfi serve --listen 0.0.0.0:4222 --nkey ldfi.key
  ldfi serve --listen 0.0.0.0:4222 --nkey ldfi.key --tls-cert server.crt --tls-key server.key`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.serve(cmd.Context(), flags) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.listen, "listen", "127.0.0.1:4222", "the `address` to listen on; port 0 is any that is free")
	f.StringVar(&flags.dir, "dir", "", "the `directory` that keeps everything; without it one in the user's cache directory")
	f.Var(&flags.limit, "store-limit", "how much may be kept; what does not fit is done by who asks")
	f.StringVar(&flags.nkey, "nkey", "", "the `file` with the key that others have to show; it is made if there is none (default: ldfi.key in the directory)")
	f.StringVar(&flags.cert, "tls-cert", "", "the `file` with the certificate of the server, for TLS")
	f.StringVar(&flags.key, "tls-key", "", "the `file` with the key of that certificate")
	f.StringVar(&flags.ca, "tls-ca", "", "the `file` with an authority: others have to show certificates that it has signed")
	return cmd
}

// serve runs a server until the context ends.
func (s streams) serve(ctx context.Context, flags serveFlags) error {
	options, err := flags.options()
	if err != nil {
		return err
	}
	server, err := broker.Start(options)
	if err != nil {
		return err
	}
	defer server.Stop()
	s.warn(options.Key)
	s.invite(server, flags, options.Key)
	<-ctx.Done()
	return nil
}

// options are what the flags ask for. Nobody comes in without a key or a certificate.
func (f *serveFlags) options() (broker.Options, error) {
	o := broker.Options{Address: f.listen, Limit: int64(f.limit), Key: f.nkey}
	if _, _, err := net.SplitHostPort(f.listen); err != nil {
		return o, fmt.Errorf("%q is no address to listen on: it looks like 127.0.0.1:4222", f.listen)
	}
	var err error
	if o.Dir, err = f.directory(); err != nil {
		return o, err
	}
	if f.nkey == "" && f.ca == "" {
		o.Key = connection.Own(o.Dir)
	}
	o.TLS, err = f.tls()
	return o, err
}

// directory is where everything is kept.
func (f *serveFlags) directory() (string, error) {
	if f.dir != "" {
		return filepath.Abs(f.dir)
	}
	home, err := connection.Home()
	if err != nil {
		return "", fmt.Errorf("no directory to keep things in: %w\ngive one with --dir", err)
	}
	return home, nil
}

// tls is how connections are encrypted, or nil.
func (f *serveFlags) tls() (*tls.Config, error) {
	if f.cert == "" && f.key == "" && f.ca == "" {
		return nil, nil
	}
	if f.cert == "" {
		return nil, errors.New("TLS needs a certificate of the server: --tls-cert FILE and --tls-key FILE")
	}
	config, err := connection.TLS(f.ca, f.cert, f.key)
	if err != nil {
		return nil, err
	}
	if f.ca != "" {
		config.ClientCAs, config.RootCAs, config.ClientAuth = config.RootCAs, nil, tls.RequireAndVerifyClientCert
	}
	return config, nil
}
