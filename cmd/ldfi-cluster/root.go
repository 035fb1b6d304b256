package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/carrier"
	"github.com/lineage-driven/ldfi/cmd/ldfi-cluster/internal/connection"
	"github.com/spf13/cobra"
)

func (s streams) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ldfi-cluster",
		Short: "Carry the work of ldfi to other machines",
		Long: `ldfi-cluster lets many machines answer one question, or the questions of one suite.

One machine runs serve, through which everything goes. Each machine that works runs worker. Whoever asks runs
ldfi run, check or bisect with --workers URL. ldfi serve, ldfi worker and ldfi workers are the same as these commands.`,
		Version:                    version(),
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		CompletionOptions:          cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w\nsee %s --help", err, cmd.CommandPath())
	})
	root.AddCommand(s.serveCommand(), s.workerCommand(), s.workersCommand(), s.carryCommand(), s.versionCommand())
	return root
}

// connectionFlags adds the flags that say how to reach the server.
func connectionFlags(cmd *cobra.Command, o *connection.Options) {
	f := cmd.Flags()
	f.StringVar(&o.URL, "nats", "", "the `URL` of the server, as ldfi serve prints it: nats://HOST:PORT, or tls://; that of any NATS server with JetStream will do")
	f.StringVar(&o.Nkey, "nkey", "", "the `file` with the key of the server (LDFI_NKEY); without it that which ldfi serve has made for this user, if the server is on this machine")
	f.StringVar(&o.Creds, "creds", "", "the `file` with credentials, of a NATS server of your own (LDFI_CREDS)")
	f.StringVar(&o.CA, "tls-ca", "", "the `file` with the authority that has signed the certificate of the server, if it is not one that this machine knows (LDFI_TLS_CA)")
	f.StringVar(&o.Cert, "tls-cert", "", "the `file` with the certificate of this machine, if the server asks for one (LDFI_TLS_CERT)")
	f.StringVar(&o.Key, "tls-key", "", "the `file` with the key of that certificate (LDFI_TLS_KEY)")
}

// warn says so if others can read the key in a file.
func (s streams) warn(key string) {
	if exposed := connection.Exposed(key); exposed != "" {
		fmt.Fprintf(s.err, "warning: %s\n", exposed)
	}
}

func (s streams) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.out, "ldfi-cluster %s, %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// version is the module version that the binary was built from, or the revision of the
// checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

func (s streams) carryCommand() *cobra.Command {
	var server connection.Options
	cmd := &cobra.Command{
		Use:   "carry",
		Short: "Carry units for ldfi, which starts this itself",
		Long: `carry is what ldfi run, check and bisect start with --workers URL. It reads orders on standard input, and writes reports
on standard output, each a line of JSON. When standard input ends, or with Ctrl-C, it takes back what nobody has finished:
nothing goes on for whoever asked.

Exit codes: 0 there are no more orders, 2 wrong usage, or nothing can be handed out.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server.FromEnvironment()
			return carrier.Carry(cmd.Context(), server, s.in, s.out)
		},
	}
	connectionFlags(cmd, &server)
	return cmd
}
